// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QSignalSpy>
#include <QSplitter>

#include "app/page/page_list.h"
#include "app/shell/main_window.h"
#include "app/shell/page_stack.h"
#include "app/shell/review_alone.h"
#include "app/shell/workspace_commands.h"
#include "tests/app/support/test_window.h"

namespace dubito::test {

/// The window of the program, which makes what is not seen at first after its first paint.
class FirstPaintTest : public QObject, private TestWindow {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openFolder();
    window_ = std::make_unique<MainWindow>(*settings_, MainWindow::Rest::kAfterFirstPaint);
  }
  void cleanup() { closeAll(); }

  void thePagesThatAreNotSeenComeAfterTheFirstPaint() {
    int pages_at_first = 0;
    connect(window_.get(), &MainWindow::firstPainted, window_.get(),
            [&] { pages_at_first = window_->pages().count(); });
    QSignalSpy ready(window_.get(), &MainWindow::ready);
    window_->show();
    QTRY_COMPARE(ready.count(), 1);
    QCOMPARE(pages_at_first, 1);
    for (const PageInfo& page : allPages()) {
      window_->showPage(page.id);
      QCOMPARE(window_->page(), page.id);
    }
    showSample();
    QVERIFY(session().activeAnalysis());
  }

  void itLooksTheSameWhenTheOtherPagesAreThere() {
    window_->resize(1280, 800);
    QImage at_first;
    connect(window_.get(), &MainWindow::firstPainted, window_.get(),
            [&] { at_first = window_->grab().toImage(); });
    QSignalSpy ready(window_.get(), &MainWindow::ready);
    window_->show();
    QTRY_COMPARE(ready.count(), 1);
    QCOMPARE(window_->grab().toImage(), at_first);
  }

  void aTabPressedBeforeTheFirstPaintShowsItsPage() {
    window_->showPage(PageId::kCompare);
    QCOMPARE(window_->page(), PageId::kCompare);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QCOMPARE(window_->pages().count(), static_cast<int>(allPages().size()));
  }

  void aWindowClosedBeforeItsFirstPaintEnds() {
    window_->close();
    window_.reset();
  }

  void divisionsOfAllPagesAreRemembered() {
    window_->resize(1111, 707);
    showWhole();
    showSample();
    window_->showPage(PageId::kImages);
    auto& parts = part<QSplitter>("imagesRows0");
    parts.setSizes({400, 200});
    const QList<int> sizes = parts.sizes();
    window_->workspaceCommands().setNextAnswer(QMessageBox::Discard);  // the sample is unsaved
    window_->close();
    window_ = std::make_unique<MainWindow>(*settings_, MainWindow::Rest::kAfterFirstPaint);
    window_->resize(1111, 707);
    showWhole();
    window_->showPage(PageId::kImages);
    QTRY_COMPARE(part<QSplitter>("imagesRows0").sizes(), sizes);
  }

  void aReviewIsShownAloneAtOnce() {
    showWhole();
    window_->reviewAlone().action()->trigger();
    window_ = std::make_unique<MainWindow>(*settings_, MainWindow::Rest::kAfterFirstPaint);
    QVERIFY(window_->reviewAlone().isOn());
    QCOMPARE(window_->page(), PageId::kReview);
  }

 private:
  void showWhole() {
    QSignalSpy ready(window_.get(), &MainWindow::ready);
    window_->show();
    QTRY_COMPARE(ready.count(), 1);
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::FirstPaintTest)
#include "first_paint_test.moc"
