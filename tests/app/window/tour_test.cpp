// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tour.h"

#include <QAction>
#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <memory>

#include "app/window/main_window.h"
#include "tests/app/support/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/tour_overlay.h"

namespace dubito::test {

class TourTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;

  TourOverlay* overlay() { return window_->findChild<TourOverlay*>("tourOverlay"); }
  void next() { QTest::keyClick(overlay(), Qt::Key_Return); }
  void showSample() {
    window_->session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY(window_->session().items() != nullptr);
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<TempDir>();
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_->file("settings.ini")),
                                            QSettings::IniFormat);
    window_ = std::make_unique<MainWindow>(*settings_);
    window_->resize(1280, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  }
  void cleanup() {
    window_.reset();
    settings_.reset();
    dir_.reset();
  }

  void everyStopLightsSomethingAndLeavesRoomForItsText() {
    showSample();
    window_->findChild<QAction*>("commandTour")->trigger();
    for (int stop = 0; stop < Tour::stopCount(); ++stop) {
      QCOMPARE(window_->tour().stop(), stop);
      QVERIFY(overlay()->isVisible());
      QTRY_VERIFY2(!overlay()->lit().isEmpty(), qPrintable(overlay()->title()));
      QVERIFY2(!overlay()->bubble().intersects(overlay()->lit()) || stop == 2,
               qPrintable(overlay()->title()));
      QVERIFY(overlay()->rect().contains(overlay()->bubble()));
      next();
    }
    QCOMPARE(window_->tour().stop(), -1);
    QVERIFY(!overlay()->isVisible());
  }

  void theThirdStopListsTheMostConfidentMistakes() {
    showSample();
    window_->tour().start();
    next();
    next();
    const ItemQuery& query = window_->session().query();
    QCOMPARE(query.group, GroupFilter::kMisclassified);
    QCOMPARE(query.sort, Measure::kConfidence);
    QVERIFY(query.descending);
    next();
    QTRY_VERIFY(window_->session().primary().has_value());
    QTRY_COMPARE(window_->session().primaryPosition(), 0);
    QCOMPARE(groupOf(*window_->session().activeAnalysis(), *window_->session().primary()),
             ItemGroup::kMisclassified);
  }

  void isShownByItselfOnlyOnce() {
    showSample();
    window_->tour().startOnce();
    QCOMPARE(window_->tour().stop(), 0);
    QTest::keyClick(overlay(), Qt::Key_Escape);
    QCOMPARE(window_->tour().stop(), -1);
    window_->tour().startOnce();
    QCOMPARE(window_->tour().stop(), -1);
    window_->tour().start();
    QCOMPARE(window_->tour().stop(), 0);
  }

  void waitsForTheDemoWhereNothingIsOpen() {
    window_->tour().start();
    QCOMPARE(window_->tour().stop(), -1);
    QVERIFY(window_->workbench().busy());
    showSample();
    QCOMPARE(window_->tour().stop(), 0);
    window_->workbench().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().busy(), 60000);
  }
};

}  // namespace dubito::test

#include "tour_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::TourTest)
