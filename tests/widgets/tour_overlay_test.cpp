// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tour_overlay.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/gui_test.h"

namespace dubito::test {

class TourOverlayTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lightsTheTargetAndSpeaksBesideIt() {
    QWidget window;
    window.resize(1000, 700);
    QPushButton button("here", &window);
    for (const QRect& place : {QRect(20, 20, 300, 200), QRect(600, 450, 380, 240),
                               QRect(10, 10, 980, 500), QRect(400, 10, 560, 680)}) {
      button.setGeometry(place);
      window.show();
      TourOverlay overlay(&window);
      overlay.showStop(&button, "What", QString("Some words about it. ").repeated(8), 1, 3);
      QCOMPARE(overlay.geometry(), window.rect());
      QVERIFY(overlay.lit().contains(place.intersected(window.rect())));
      QVERIFY2(!overlay.bubble().intersects(overlay.lit()), qPrintable(overlay.title()));
      QVERIFY(overlay.rect().contains(overlay.bubble()));
      // The text has the room that it needs.
      const auto* const text = overlay.findChild<QLabel*>("tourText");
      QVERIFY(text->height() >= text->heightForWidth(text->width()));
    }
  }

  void whatIsLitStaysUsable() {
    QWidget window;
    window.resize(800, 600);
    QPushButton lit("lit", &window);
    lit.setGeometry(10, 10, 100, 40);
    QPushButton dimmed("dimmed", &window);
    dimmed.setGeometry(10, 300, 100, 40);
    window.show();
    TourOverlay overlay(&window);
    overlay.showStop(&lit, "t", "x", 1, 2);
    QCOMPARE(window.childAt(50, 30), static_cast<QWidget*>(&lit));
    QCOMPARE(window.childAt(50, 320), static_cast<QWidget*>(&overlay));
  }

  void aClickElsewhereEndsTheTourAndIsNotLost() {
    QWidget window;
    window.resize(800, 600);
    QPushButton dimmed("dimmed", &window);
    dimmed.setGeometry(10, 500, 100, 40);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    TourOverlay overlay(&window);
    overlay.showStop(nullptr, "t", "x", 1, 2);
    connect(&overlay, &TourOverlay::endRequested, &overlay, &QWidget::hide);
    QSignalSpy clicked(&dimmed, &QPushButton::clicked);
    // In the bubble, nothing happens.
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {},
                      overlay.bubble().topLeft() + QPoint(5, 5));
    QVERIFY(overlay.isVisible());
    QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {}, QPoint(50, 520));
    QVERIFY(!overlay.isVisible());
    QTRY_COMPARE(clicked.count(), 1);
  }

  void followsTheWindowAndTheTarget() {
    QWidget window;
    window.resize(800, 600);
    QPushButton button("here", &window);
    button.setGeometry(10, 10, 100, 40);
    window.show();
    TourOverlay overlay(&window);
    overlay.showStop(&button, "t", "x", 1, 2);
    window.resize(900, 640);
    QTRY_COMPARE(overlay.size(), QSize(900, 640));
    button.move(500, 400);
    QTRY_VERIFY(overlay.lit().contains(button.geometry()));
  }

  void keysAndButtonsAskForTheStops() {
    QWidget window;
    window.resize(800, 600);
    window.show();
    TourOverlay overlay(&window);
    overlay.showStop(nullptr, "t", "x", 1, 2);
    QVERIFY(overlay.lit().isEmpty());
    QSignalSpy next(&overlay, &TourOverlay::nextRequested);
    QSignalSpy back(&overlay, &TourOverlay::backRequested);
    QSignalSpy end(&overlay, &TourOverlay::endRequested);
    auto* const back_button = overlay.findChild<QPushButton*>("tourBack");
    auto* const next_button = overlay.findChild<QPushButton*>("tourNext");
    QVERIFY(!back_button->isEnabled());
    QTest::keyClick(&overlay, Qt::Key_Left);
    QCOMPARE(back.count(), 0);
    QCOMPARE(next_button->text(), QString("Next"));
    // As a person does it: to whatever has the focus.
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QCOMPARE(window.focusWidget(), static_cast<QWidget*>(&overlay));
    QTest::keyClick(window.focusWidget(), Qt::Key_Right);
    QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
    QTest::mouseClick(next_button, Qt::LeftButton);
    QCOMPARE(next.count(), 2);
    QCOMPARE(window.focusWidget(), static_cast<QWidget*>(&overlay));
    overlay.showStop(nullptr, "t", "x", 2, 2);
    QCOMPARE(next_button->text(), QString("Done"));
    QTest::keyClick(&overlay, Qt::Key_Left);
    QCOMPARE(back.count(), 1);
    QTest::keyClick(&overlay, Qt::Key_Escape);
    QCOMPARE(end.count(), 1);
  }
};

}  // namespace dubito::test

#include "tour_overlay_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::TourOverlayTest)
