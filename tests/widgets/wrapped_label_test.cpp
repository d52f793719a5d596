// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wrapped_label.h"

#include "tests/support/gui_test.h"

namespace dubito::test {

class WrappedLabelTest : public QObject {
  Q_OBJECT

  const QString text_ =
      QStringLiteral("A sentence that is long enough to be broken into <b>several</b> lines");

  /// Twice each, so that remembered heights are compared too.
  static void expectThoseOf(const QLabel& plain, const WrappedLabel& label) {
    for (int i = 0; i < 2; ++i) {
      for (const int width : {40, 90, 200, 400, 2000}) {
        QCOMPARE(label.heightForWidth(width), plain.heightForWidth(width));
      }
    }
  }

 private Q_SLOTS:
  void heightsAreThoseOfALabel() {
    QLabel plain;
    plain.setWordWrap(true);
    WrappedLabel label;
    const auto expectEqual = [&](const auto& change) {
      change(plain);
      change(label);
      expectThoseOf(plain, label);
    };
    expectEqual([&](QLabel& of) { of.setText(text_); });
    QVERIFY(label.heightForWidth(90) > 2 * label.heightForWidth(2000));
    expectEqual([&](QLabel& of) { of.setText(text_ + text_); });
    expectEqual([](QLabel& of) { of.setTextFormat(Qt::PlainText); });
    expectEqual([](QLabel& of) {
      QFont font = of.font();
      font.setPixelSize(2 * of.fontInfo().pixelSize());
      of.setFont(font);
    });
    expectEqual([](QLabel& of) { of.setMargin(9); });
    expectEqual([](QLabel& of) { of.setContentsMargins(5, 6, 7, 8); });
    expectEqual([](QLabel& of) { of.setStyleSheet(QStringLiteral("font-size: 30px")); });
    expectEqual([](QLabel& of) { of.setWordWrap(false); });
    expectEqual([](QLabel& of) { of.clear(); });
  }
};

}  // namespace dubito::test

#include "wrapped_label_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::WrappedLabelTest)
