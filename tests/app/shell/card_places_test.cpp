// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/card_places.h"

#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QTest>
#include <memory>

#include "app/shell/command_palette.h"
#include "app/shell/main_window.h"
#include "tests/app/support/test_window.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"

namespace dubito::test {

class CardPlacesTest : public QObject, private TestWindow {
  Q_OBJECT

 private:
  void openWindowWithSample() {
    openWindow();
    showSample();
  }

 private Q_SLOTS:
  void init() {
    openFolder();
    openWindowWithSample();
  }
  void cleanup() { closeAll(); }

  void everyPanelOfEveryPageIsInTheMenu() {
    int cards = 0;
    for (const CardRows* const rows : window_->findChildren<CardRows*>()) {
      for (const Card* const card : rows->cards()) {
        const QAction& action = part<QAction>(qPrintable("panel-" + card->objectName()));
        QVERIFY(action.isCheckable() && action.isChecked());
        QVERIFY2(!action.text().isEmpty(), qPrintable(card->objectName()));
        ++cards;
      }
    }
    QVERIFY(cards >= 16);
  }

  void theMenuClosesAndShowsPanels() {
    Card& card = part<Card>("rocPlotCard");
    QAction& action = part<QAction>("panel-rocPlotCard");
    QVERIFY(card.isVisible());
    action.trigger();
    QVERIFY(!card.isVisible());
    action.trigger();
    QVERIFY(card.isVisible());
  }

  void thePaletteFindsPanels() {
    bool found = false;
    for (const Command& command : commandsOf(*window_)) {
      found = found || command.text == "View: Panels: Overview: ROC";
    }
    QVERIFY(found);
  }

  void placesAreRemembered() {
    part<QAction>("panel-rocPlotCard").trigger();
    part<CardRows>("overviewRows")
        .setPlace(part<Card>("reliabilityPlotCard"), CardPlace::kFloating);
    openWindowWithSample();
    QVERIFY(!part<Card>("rocPlotCard").isVisible());
    QVERIFY(!part<QAction>("panel-rocPlotCard").isChecked());
    const CardRows& rows = part<CardRows>("overviewRows");
    QVERIFY(rows.floatingWindow(part<Card>("reliabilityPlotCard")) != nullptr);
    part<QAction>("panelsReset").trigger();
    QVERIFY(part<Card>("rocPlotCard").isVisible());
    QCOMPARE(rows.place(part<Card>("reliabilityPlotCard")), CardPlace::kDocked);
    openWindowWithSample();
    QVERIFY(part<Card>("rocPlotCard").isVisible());
  }

  void escapeEndsAnEnlargedPanelBeforeItClearsTheSelection() {
    window_->session().selectReliabilityBin(14);
    CardRows& rows = part<CardRows>("overviewRows");
    rows.setEnlarged(&part<Card>("rocPlotCard"));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QCOMPARE(rows.enlarged(), nullptr);
    QVERIFY(hasSelection(window_->session().listing().query()));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!hasSelection(window_->session().listing().query()));
  }

  void aFloatingPanelStaysLinked() {
    CardRows& rows = part<CardRows>("overviewRows");
    Card& card = part<Card>("overviewGalleryCard");
    rows.setPlace(card, CardPlace::kFloating);
    const QString before = card.subtitle();
    window_->session().selectReliabilityBin(14);
    QTRY_VERIFY(card.subtitle() != before);
    // Keys pressed there act as in the window.
    QTest::keyClick(rows.floatingWindow(card), Qt::Key_Escape);
    QVERIFY(!hasSelection(window_->session().listing().query()));
  }
};

}  // namespace dubito::test

#include "card_places_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::CardPlacesTest)
