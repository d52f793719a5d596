// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/page_stack.h"

#include "app/compare/compare_page.h"
#include "app/explore/images/images_page.h"
#include "app/explore/overview_page.h"
#include "app/labs/labs_page.h"
#include "app/review/review_page.h"
#include "app/shift/shift_page.h"
#include "app/study/study_page.h"
#include "app/train/train_page.h"
#include "app/tune/tune_page.h"
#include "app/workbench/workbench.h"
#include "widgets/card_rows.h"

namespace dubito {

PageStack::PageStack(Workbench& workbench, ThumbnailLoader& thumbnails, QSettings& settings,
                     QWidget* parent)
    : QStackedWidget(parent), workbench_(workbench), thumbnails_(thumbnails), settings_(settings) {
  setObjectName(QStringLiteral("pages"));
  addWidget(make(allPages().front().id));
}

void PageStack::makeRest() {
  for (const PageInfo& page : allPages().subspan(1)) {
    addWidget(make(page.id));
  }
}

std::vector<Page*> PageStack::all() const {
  std::vector<Page*> pages;
  for (int position = 0; position < count(); ++position) {
    pages.push_back(static_cast<Page*>(widget(position)));
  }
  return pages;
}

std::vector<CardPlaces::NamedRows> PageStack::cardRows() const {
  std::vector<CardPlaces::NamedRows> rows;
  for (const Page* const page : all()) {
    for (CardRows* const of_page : page->findChildren<CardRows*>()) {
      rows.push_back({titleOf(page->id()), of_page});
    }
  }
  return rows;
}

Page& PageStack::current() const {
  return static_cast<Page&>(*currentWidget());
}

Page* PageStack::make(PageId id) {
  Session& session = workbench_.session();
  WindowJobs& jobs = workbench_.jobs();
  RunComputer& computer = workbench_.computer();
  FileOpener& opener = workbench_.opener();
  switch (id) {
    case PageId::kOverview:
      overview_ = new OverviewPage({.session = session,
                                    .jobs = jobs,
                                    .computer = computer,
                                    .opener = opener,
                                    .evaluator = workbench_.evaluator(),
                                    .brushing = workbench_.brushing(),
                                    .thumbnails = thumbnails_},
                                   this);
      return overview_;
    case PageId::kImages:
      images_ = new ImagesPage(session, jobs, computer, thumbnails_, this);
      return images_;
    case PageId::kCompare:
      compare_ = new ComparePage(session, jobs, settings_, this);
      return compare_;
    case PageId::kTune:
      tune_ = new TunePage(session, jobs, computer, this);
      return tune_;
    case PageId::kShift:
      shift_ = new ShiftPage(session, jobs, computer, this);
      return shift_;
    case PageId::kReview:
      review_ = new ReviewPage(session, jobs, computer, opener, settings_, this);
      return review_;
    case PageId::kTrain:
      train_ =
          new TrainPage(session, jobs, workbench_.messages(), computer, opener.recentFiles(), this);
      return train_;
    case PageId::kStudy:
      study_ = new StudyPage(session, jobs, computer, opener.recentFiles(), this);
      return study_;
    case PageId::kLabs:
      labs_ = new LabsPage({.session = session,
                            .jobs = jobs,
                            .computer = computer,
                            .opener = opener,
                            .settings = settings_},
                           this);
      return labs_;
  }
  return nullptr;
}

}  // namespace dubito
