// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/value_slider.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>

#include "tests/support/gui_test.h"

namespace dubito::test {

class ValueSliderTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theMiddleOfASymmetricLogRangeIsOne() {
    ValueSlider slider("T");
    slider.setRange({0.1, 10.0, true, false});
    QSignalSpy settled(&slider, &ValueSlider::settled);
    auto& handle = *slider.findChild<QSlider*>("slider");
    handle.setValue(500);
    QCOMPARE(slider.value(), 1.0);
    handle.setValue(0);
    QCOMPARE(slider.value(), 0.1);
    handle.setValue(1000);
    QCOMPARE(slider.value(), 10.0);
    handle.setValue(750);
    QCOMPARE(slider.value(), 3.162);
    QCOMPARE(settled.count(), 4);
    QCOMPARE(settled.last()[0].toDouble(), 3.162);
  }

  void aHandleChoosesAsManyDigitsAsTheRangeSays() {
    ValueSlider slider("T");
    slider.setRange({.low = 0.1, .high = 10.0, .logarithmic = true, .digits = 2});
    auto& handle = *slider.findChild<QSlider*>("slider");
    handle.setValue(750);
    QCOMPARE(slider.value(), 3.2);
  }

  void aHeldHandleMovesAndSettlesWhenItIsLetGo() {
    ValueSlider slider("T");
    slider.setRange({0.1, 10.0, true, false});
    slider.setValue(1.0);
    QSignalSpy moved(&slider, &ValueSlider::moved);
    QSignalSpy settled(&slider, &ValueSlider::settled);
    auto& handle = *slider.findChild<QSlider*>("slider");
    handle.setSliderDown(true);
    handle.setSliderPosition(600);
    handle.setSliderPosition(610);
    QCOMPARE(moved.count(), 2);
    QCOMPARE(settled.count(), 0);
    QVERIFY(slider.isDragged());
    handle.setSliderDown(false);
    QCOMPARE(settled.count(), 1);
    QCOMPARE(settled[0][0].toDouble(), slider.value());
  }

  void theBoxNeverShowsANumberThatIsNotUsed() {
    ValueSlider slider("Zoom out");
    slider.setRange({1.0, 10.0, true, false});
    QSignalSpy settled(&slider, &ValueSlider::settled);
    auto& box = *slider.findChild<QLineEdit*>();
    const auto type = [&](const QString& text) {
      box.selectAll();
      QTest::keyClicks(&box, text);
      QTest::keyClick(&box, Qt::Key_Return);
    };
    type("20");
    QCOMPARE(slider.value(), 10.0);
    QCOMPARE(box.text(), "10");
    QCOMPARE(settled.last()[0].toDouble(), 10.0);
    type("0.5");
    QCOMPARE(slider.value(), 1.0);
    QCOMPARE(box.text(), "1");
    type("x");
    QCOMPARE(slider.value(), 1.0);
    QCOMPARE(box.text(), "1");
    type("3.25");
    QCOMPARE(slider.value(), 3.25);
    QCOMPARE(box.text(), "3.25");
  }

  void aWholeNumberIsRoundedWhenTypingEnds() {
    ValueSlider slider("draws");
    slider.setRange({1.0, 50.0, false, true});
    QSignalSpy settled(&slider, &ValueSlider::settled);
    auto& box = *slider.findChild<QLineEdit*>();
    box.selectAll();
    QTest::keyClicks(&box, "2.7");
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(slider.value(), 3.0);
    QCOMPARE(box.text(), "3");
    QCOMPARE(slider.findChild<QSlider*>("slider")->value(), 2);
    QCOMPARE(settled.last()[0].toDouble(), 3.0);
  }

  void settingIsSilentAndKeepsToTheRange() {
    ValueSlider slider("draws");
    slider.setRange({1.0, 50.0, false, true});
    QSignalSpy settled(&slider, &ValueSlider::settled);
    slider.setValue(80.0);
    QCOMPARE(slider.value(), 50.0);
    slider.setValue(7.0);
    QCOMPARE(slider.findChild<QSlider*>("slider")->value(), 6);
    QCOMPARE(slider.findChild<QLineEdit*>()->text(), "7");
    QCOMPARE(settled.count(), 0);
  }

  void numbersAreTypedExactly() {
    ValueSlider slider("T");
    slider.setRange({0.1, 10.0, true, false});
    QSignalSpy settled(&slider, &ValueSlider::settled);
    auto& line = *slider.findChild<QLineEdit*>();
    line.clear();
    QTest::keyClicks(&line, "1.2345678");
    QCOMPARE(slider.value(), 1.2345678);
    QCOMPARE(settled.last()[0].toDouble(), 1.2345678);
    const auto count = settled.count();
    line.clear();
    QTest::keyClicks(&line, "999");
    QVERIFY(slider.value() <= 10.0);
    line.clear();
    QTest::keyClicks(&line, "x");
    QVERIFY(settled.count() <= count + 2);
    slider.setRange({1.0, 9.0, false, true});
    slider.setValue(4.0);
    line.clear();
    const auto before = settled.count();
    QTest::keyClicks(&line, "2.5");
    QCOMPARE(slider.value(), 2.0);  // on its way to something that is no whole number
    QVERIFY(settled.count() > before);
  }

  void aLongNumberIsShortenedAndKept() {
    ValueSlider slider("prior precision");
    slider.setRange({1e-4, 1e4, true, false});
    slider.setValue(0.11037400000000001);
    auto& line = *slider.findChild<QLineEdit*>();
    auto& box = *slider.findChild<QWidget*>("box");
    QCOMPARE(slider.value(), 0.11037400000000001);
    QCOMPARE(line.text(), "0.1104");
    QCOMPARE(box.toolTip(), "0.11037400000000001");
    slider.setValue(0.1104);
    QVERIFY(box.toolTip().isEmpty());
    slider.setRange({1.0, 1e6, false, true});
    slider.setValue(123456.0);
    QCOMPARE(line.text(), "123456");
    slider.setRange({1e-4, 1e4, true, false});
    line.clear();
    QTest::keyClicks(&line, "1.2345678");
    slider.setValue(1.2345678);
    QCOMPARE(line.text(), "1.2345678");
  }

  void aPlaceIsMarked() {
    ValueSlider slider("T");
    slider.setRange({0.1, 10.0, true, false});
    slider.setMark(2.0, "fitted");
    QCOMPARE(slider.mark(), std::optional<double>(2.0));
    QCOMPARE(slider.findChild<QSlider*>("slider")->toolTip(), "fitted");
    slider.setMark({});
    QVERIFY(!slider.mark());
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ValueSliderTest)
#include "value_slider_test.moc"
