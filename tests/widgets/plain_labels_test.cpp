// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plain_labels.h"

#include <QLabel>
#include <QMessageBox>
#include <QToolTip>

#include "tests/support/gui_test.h"

namespace dubito::test {

/// Texts that Qt would take for HTML.
class PlainLabelsTest : public QObject {
  Q_OBJECT

  const QString markup_ = QStringLiteral("<b>class</b> <img src='/etc/passwd'>");

 private Q_SLOTS:
  void initTestCase() {
    showTextsAsPlain(*qApp);
    showTextsAsPlain(*qApp);
  }

  void labelsShowMarkupAsItIs() {
    QLabel label(markup_);
    QCOMPARE(label.textFormat(), Qt::AutoText);
    label.show();
    QCOMPARE(label.textFormat(), Qt::PlainText);
    QCOMPARE(label.text(), markup_);
  }

  void formatsThatWereSetAreKept() {
    QLabel label(markup_);
    label.setTextFormat(Qt::RichText);
    label.show();
    QCOMPARE(label.textFormat(), Qt::RichText);
  }

  void messageBoxesShowMarkupAsItIs() {
    QMessageBox box(QMessageBox::Warning, QStringLiteral("Title"), markup_);
    box.setInformativeText(markup_);
    box.show();
    int labels = 0;
    for (const QLabel* const label : box.findChildren<QLabel*>()) {
      labels += label->text() == markup_ ? 1 : 0;
      QVERIFY(label->textFormat() != Qt::AutoText);
    }
    QCOMPARE(labels, 2);
  }

  void tooltipsShowMarkupAsItIs() {
    QWidget window;
    window.show();
    QToolTip::showText(QPoint(10, 10), markup_, &window);
    const QLabel* tip = nullptr;
    for (QWidget* const widget : QApplication::topLevelWidgets()) {
      const auto* const label = qobject_cast<QLabel*>(widget);
      tip = label != nullptr && label->text() == markup_ ? label : tip;
    }
    QVERIFY(tip != nullptr);
    QCOMPARE(tip->textFormat(), Qt::PlainText);
  }
};

}  // namespace dubito::test

#include "plain_labels_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::PlainLabelsTest)
