// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wheel_guard.h"

#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "tests/support/gui_test.h"

namespace dubito::test {

/// A form in a scroll area.
class WheelGuardTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    guardWheel(*qApp);
    guardWheel(*qApp);
    auto* const form = new QWidget;
    auto* const layout = new QVBoxLayout(form);
    other_ = new QSpinBox(form);
    number_ = new QSpinBox(form);
    number_->setValue(50);
    choice_ = new QComboBox(form);
    choice_->addItems({"a", "b", "c"});
    choice_->setCurrentIndex(1);
    slider_ = new QSlider(Qt::Horizontal, form);
    slider_->setValue(50);
    for (QWidget* const part : std::initializer_list<QWidget*>{other_, number_, choice_, slider_}) {
      layout->addWidget(part);
    }
    area_.setWidget(form);
    area_.show();
    QVERIFY(QTest::qWaitForWindowActive(&area_));
  }

  void theWheelScrollsPastFields() {
    for (QWidget* const field : std::initializer_list<QWidget*>{number_, choice_, slider_}) {
      other_->setFocus();
      // Qt hands what a widget ignores to its parent, which scrolls.
      QVERIFY(!turn(*field));
      QVERIFY(!field->hasFocus());
      QVERIFY(field->focusPolicy() != Qt::WheelFocus);
    }
    QCOMPARE(number_->value(), 50);
    QCOMPARE(choice_->currentIndex(), 1);
    QCOMPARE(slider_->value(), 50);
  }

  void aFieldWithTheFocusIsTurned() {
    number_->setFocus();
    QVERIFY(turn(*number_));
    QCOMPARE(number_->value(), 49);
    choice_->setFocus();
    QVERIFY(turn(*choice_));
    QCOMPARE(choice_->currentIndex(), 2);
    slider_->setFocus();
    QVERIFY(turn(*slider_));
    QVERIFY(slider_->value() != 50);
  }

  void aScrollBarIsTurnedWithoutTheFocus() {
    area_.resize(area_.width(), other_->height());
    QScrollBar& bar = *area_.verticalScrollBar();
    QTRY_VERIFY(bar.maximum() > 0);
    other_->setFocus();
    bar.setValue(0);
    QVERIFY(turn(bar));
    QVERIFY(bar.value() > 0);
  }

  void aPlotInAPageThatScrollsZoomsOnlyWithAKey() {
    QScrollArea page;
    auto* const plot = new ZoomingWidget;
    setZoomsByWheel(*plot);
    plot->setFixedSize(100, 400);
    page.setWidget(plot);
    page.resize(200, 500);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QVERIFY(turn(*plot));  // everything is visible
    QCOMPARE(plot->notches, 1);
    page.resize(200, 200);
    QTRY_VERIFY(page.verticalScrollBar()->maximum() > 0);
    QVERIFY(!turn(*plot));
    QCOMPARE(plot->notches, 1);
    QVERIFY(turn(*plot, Qt::ControlModifier));
    QCOMPARE(plot->notches, 2);
  }

 private:
  class ZoomingWidget : public QWidget {
   public:
    int notches = 0;

   protected:
    void wheelEvent(QWheelEvent* event) override {
      ++notches;
      event->accept();
    }
  };

  /// One notch towards the user over the middle of `target`; returns whether it was used there.
  static bool turn(QWidget& target, Qt::KeyboardModifiers keys = Qt::NoModifier) {
    const QPointF at = target.rect().center();
    QWheelEvent event(at, target.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, keys,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&target, &event);
    return event.isAccepted();
  }

  QScrollArea area_;
  QSpinBox* other_ = nullptr;
  QSpinBox* number_ = nullptr;
  QComboBox* choice_ = nullptr;
  QSlider* slider_ = nullptr;
};

}  // namespace dubito::test

#include "wheel_guard_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::WheelGuardTest)
