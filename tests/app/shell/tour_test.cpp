// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/tour.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTest>
#include <memory>

#include "app/shell/main_window.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/theme.h"
#include "widgets/tour_overlay.h"

namespace dubito::test {

class TourTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  TourOverlay* overlay() { return window_->findChild<TourOverlay*>("tourOverlay"); }
  void next() { QTest::keyClick(overlay(), Qt::Key_Return); }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindow();
  }
  void cleanup() { closeAll(); }

  void everyStopLightsSomethingAndLeavesRoomForItsText() {
    showSample();
    window_->findChild<QAction*>("commandTour")->trigger();
    for (int stop = 0; stop < Tour::stopCount(); ++stop) {
      QCOMPARE(window_->tour().stop(), stop);
      QVERIFY(overlay()->isVisible());
      QTRY_VERIFY2(!overlay()->lit().isEmpty(), qPrintable(overlay()->title()));
      QVERIFY2(!overlay()->bubble().intersects(overlay()->lit()), qPrintable(overlay()->title()));
      // What the text speaks of is lit.
      for (const char* const name : {"confusionCard", "imagesCard"}) {
        const QWidget& card = *window_->findChild<QWidget*>(name);
        const QRect place(card.mapTo(window_.get(), QPoint(0, 0)), card.size());
        QTRY_VERIFY(stop != 2 || overlay()->lit().contains(place));
      }
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
    // The text does not say how many there are: that depends on the run.
    const QString text = part<QLabel>("tourText").text();
    const QRegularExpression number("\\d|\\b(ten|twelve|twenty|fifty|hundred)\\b");
    QVERIFY2(!text.contains(number), qPrintable(text));
    const ItemQuery& query = window_->session().listing().query();
    QCOMPARE(query.group, GroupFilter::kMisclassified);
    QCOMPARE(query.sort, Measure::kConfidence);
    QVERIFY(query.descending);
    next();
    QTRY_VERIFY(window_->session().listing().primary().has_value());
    QTRY_COMPARE(window_->session().listing().primaryPosition(), 0);
    QCOMPARE(groupOf(*window_->session().activeAnalysis(), *window_->session().listing().primary()),
             ItemGroup::kMisclassified);
  }

  void everythingIsListedAgainWhereItLeavesTheMistakes() {
    showSample();
    ItemQuery query;
    query.sort = Measure::kEntropy;
    session().listing().setQuery(query);
    const ItemQuery before = session().listing().query();
    window_->tour().start();
    next();
    next();
    QVERIFY(session().listing().query() != before);
    next();
    next();  // Overview: its charts are those of all items
    QCOMPARE(window_->tour().stop(), 4);
    QVERIFY(session().listing().query() == before);
    QTest::keyClick(overlay(), Qt::Key_Left);
    QVERIFY(session().listing().query() != before);
    QTest::keyClick(overlay(), Qt::Key_Escape);
    QVERIFY(session().listing().query() == before);
  }

  void theTextShowsTheColoursOfTheTheme() {
    showSample();
    window_->tour().start();
    const QLabel& text = *window_->findChild<QLabel*>("tourText");
    for (const Theme& theme : {Theme::darkTheme(), Theme::light()}) {
      applyTheme(*qApp, theme);
      for (const QColor& color : {theme.correct, theme.misclassified, theme.ood}) {
        QVERIFY2(text.text().contains(color.name()), qPrintable(text.text()));
      }
    }
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

  void itEndsWhereTheUserGoesToAnotherPage() {
    showSample();
    window_->tour().start();
    QCOMPARE(window_->tour().stop(), 0);
    QTest::keySequence(overlay(), QKeySequence(Qt::CTRL | Qt::Key_3));
    QCOMPARE(window_->page(), PageId::kCompare);
    QCOMPARE(window_->tour().stop(), -1);
    QVERIFY(!overlay()->isVisible());
    window_->showPage(PageId::kOverview);
    QCOMPARE(window_->tour().stop(), -1);
  }

  void whoWorksOnAnotherPageIsNotTakenAwayFromIt() {
    window_->tour().startOnce();
    window_->showPage(PageId::kReview);
    window_->workbench().jobs().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), kPatience);
    showSample();
    QCOMPARE(window_->page(), PageId::kReview);
    QCOMPARE(window_->tour().stop(), -1);
    window_->showPage(PageId::kImages);
    QCOMPARE(window_->tour().stop(), -1);
    window_->showPage(PageId::kOverview);
    QCOMPARE(window_->tour().stop(), 0);
  }

  void waitsForTheDemoWhereNothingIsOpen() {
    window_->tour().start();
    QCOMPARE(window_->tour().stop(), -1);
    QVERIFY(window_->workbench().jobs().busy());
    showSample();
    QCOMPARE(window_->tour().stop(), 0);
    window_->workbench().jobs().cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workbench().jobs().busy(), 60000);
  }
};

}  // namespace dubito::test

#include "tour_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::TourTest)
