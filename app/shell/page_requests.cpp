// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/page_requests.h"

#include <QAction>

#include "app/compare/compare_page.h"
#include "app/explore/images/images_page.h"
#include "app/explore/inspector/item_inspector.h"
#include "app/explore/overview_page.h"
#include "app/labs/labs_page.h"
#include "app/review/review_page.h"
#include "app/shell/main_window.h"
#include "app/shell/open_menu.h"
#include "app/shell/page_stack.h"
#include "app/shell/review_alone.h"
#include "app/shell/side_panels.h"
#include "app/shift/shift_page.h"
#include "app/study/study_page.h"

namespace dubito {
namespace {

void connectPagesOfRun(MainWindow& window, SidePanels& side, OpenMenu& menu) {
  PageStack& pages = window.pages();
  const auto show_images = [&window] { window.showPage(PageId::kImages); };
  QObject::connect(&pages.overview(), &OverviewPage::openRequested, &menu, &OpenMenu::openAny);
  QObject::connect(&pages.overview(), &OverviewPage::computeRequested, &window,
                   [&window] { window.setComputeOpen(true); });
  QObject::connect(&pages.overview(), &OverviewPage::imagesRequested, &window, show_images);
  QObject::connect(&pages.compare(), &ComparePage::imagesRequested, &window, show_images);
  QObject::connect(&pages.shift(), &ShiftPage::overlaidChanged, &pages.compare(),
                   [&pages] { pages.compare().setShiftResults(pages.shift().overlaid()); });
  QObject::connect(&pages.images(), &ImagesPage::largeImageRequested, &side.inspector(),
                   &ItemInspector::showLargeImage);
  QObject::connect(&side.inspector(), &ItemInspector::labRequested, &window,
                   [&window](const AnalysisPtr& analysis, ItemRef item) {
                     window.pages().labs().sendItem(analysis, item);
                     window.showPage(PageId::kLabs);
                   });
}

void connectReview(MainWindow& window, OpenMenu& menu) {
  ReviewPage& review = window.pages().review();
  QObject::connect(&review, &ReviewPage::labelsRequested, &menu.labelsCommand(), &QAction::trigger);
  QObject::connect(&review, &ReviewPage::imagesRequested, &menu, &OpenMenu::askForRunImages);
  QObject::connect(&review, &ReviewPage::networkRequested, &window, [&window, &menu] {
    window.reviewAlone().show(false);
    if (!window.session().activeModel()) {
      menu.modelCommand().trigger();
    }
    window.setComputeOpen(true);
  });
  QObject::connect(&window.workbench().evaluator(), &RunEvaluator::labelsOpened, &window,
                   [&window, &review](const QString& store) {
                     window.showPage(PageId::kReview);
                     review.reviewer().start(store);
                   });
}

void connectLaboratories(MainWindow& window) {
  QObject::connect(&window.workbench().opener(), &FileOpener::labRequested, &window,
                   [&window](const QString& path) {
                     window.reviewAlone().show(false);
                     window.showPage(PageId::kLabs);
                     window.pages().labs().openFile(path);
                   });
}

void connectStudies(MainWindow& window) {
  StudyPage& study = window.pages().study();
  QObject::connect(&study, &StudyPage::overviewRequested, &window,
                   [&window] { window.showPage(PageId::kOverview); });
  QObject::connect(&window.workbench().opener(), &FileOpener::studyRequested, &window,
                   [&window, &study](const QString& folder) {
                     study.openFolder(folder);
                     window.showPage(PageId::kStudy);
                   });
}

}  // namespace

void connectPageRequests(MainWindow& window, SidePanels& side, OpenMenu& menu) {
  connectPagesOfRun(window, side, menu);
  connectReview(window, menu);
  connectStudies(window);
  connectLaboratories(window);
}

}  // namespace dubito
