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
    : QStackedWidget(parent) {
  setObjectName(QStringLiteral("pages"));
  for (const PageInfo& page : allPages()) {
    addWidget(make(page.id, workbench, thumbnails, settings));
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

Page* PageStack::make(PageId id, Workbench& workbench, ThumbnailLoader& thumbnails,
                      QSettings& settings) {
  Session& session = workbench.session();
  WindowJobs& jobs = workbench.jobs();
  RunComputer& computer = workbench.computer();
  FileOpener& opener = workbench.opener();
  switch (id) {
    case PageId::kOverview:
      overview_ = new OverviewPage({.session = session,
                                    .jobs = jobs,
                                    .computer = computer,
                                    .opener = opener,
                                    .brushing = workbench.brushing(),
                                    .thumbnails = thumbnails},
                                   this);
      return overview_;
    case PageId::kImages:
      images_ = new ImagesPage(session, jobs, computer, thumbnails, this);
      return images_;
    case PageId::kCompare:
      compare_ = new ComparePage(session, jobs, settings, this);
      return compare_;
    case PageId::kTune:
      tune_ = new TunePage(session, jobs, computer, this);
      return tune_;
    case PageId::kShift:
      shift_ = new ShiftPage(session, jobs, computer, this);
      return shift_;
    case PageId::kReview:
      review_ = new ReviewPage(session, jobs, computer, opener, settings, this);
      return review_;
    case PageId::kTrain:
      train_ =
          new TrainPage(session, jobs, workbench.messages(), computer, opener.recentFiles(), this);
      return train_;
    case PageId::kStudy:
      study_ = new StudyPage(session, jobs, computer, opener.recentFiles(), this);
      return study_;
    case PageId::kLabs:
      labs_ = new LabsPage({.session = session,
                            .jobs = jobs,
                            .computer = computer,
                            .opener = opener,
                            .settings = settings},
                           this);
      return labs_;
  }
  return nullptr;
}

}  // namespace dubito
