// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/card_places.h"

#include <QAction>
#include <QMenu>
#include <QSettings>
#include <QTest>
#include <memory>

#include "app/window/command_palette.h"
#include "app/window/main_window.h"
#include "tests/app/support/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/card_rows.h"

namespace dubito::test {

class CardPlacesTest : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<TempDir> dir_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<MainWindow> window_;

  template <class T>
  T& part(const char* name) {
    T* const found = window_->findChild<T*>(QLatin1String(name));
    if (found == nullptr) {
      qFatal("the window has no %s", name);
    }
    return *found;
  }
  void openWindow() {
    window_.reset();
    window_ = std::make_unique<MainWindow>(*settings_);
    window_->resize(1280, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->session().addAnalysis(sampleAnalysis());
    QTRY_VERIFY(window_->session().items() != nullptr);
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<TempDir>();
    settings_ = std::make_unique<QSettings>(QString::fromStdString(dir_->file("settings.ini")),
                                            QSettings::IniFormat);
    openWindow();
  }
  void cleanup() {
    window_.reset();
    settings_.reset();
    dir_.reset();
  }

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
    openWindow();
    QVERIFY(!part<Card>("rocPlotCard").isVisible());
    QVERIFY(!part<QAction>("panel-rocPlotCard").isChecked());
    const CardRows& rows = part<CardRows>("overviewRows");
    QVERIFY(rows.floatingWindow(part<Card>("reliabilityPlotCard")) != nullptr);
    part<QAction>("panelsReset").trigger();
    QVERIFY(part<Card>("rocPlotCard").isVisible());
    QCOMPARE(rows.place(part<Card>("reliabilityPlotCard")), CardPlace::kInPage);
    openWindow();
    QVERIFY(part<Card>("rocPlotCard").isVisible());
  }

  void escapeEndsAnEnlargedPanelBeforeItClearsTheSelection() {
    window_->session().selectReliabilityBin(14);
    CardRows& rows = part<CardRows>("overviewRows");
    rows.setEnlarged(&part<Card>("rocPlotCard"));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QCOMPARE(rows.enlarged(), nullptr);
    QVERIFY(hasSelection(window_->session().query()));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!hasSelection(window_->session().query()));
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
    QVERIFY(!hasSelection(window_->session().query()));
  }
};

}  // namespace dubito::test

#include "card_places_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::CardPlacesTest)
