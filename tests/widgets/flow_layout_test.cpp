// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/flow_layout.h"

#include <QLabel>

#include "tests/support/gui_test.h"

namespace dubito::test {

class FlowLayoutTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void partsThatDoNotFitGoOnInTheNextLine() {
    QWidget parent;
    auto* const flow = new FlowLayout(&parent, 10);
    std::vector<QWidget*> parts;
    for (int i = 0; i < 3; ++i) {
      auto* const part = new QWidget(&parent);
      part->setFixedSize(100, 20 + 10 * i);
      flow->addWidget(part);
      parts.push_back(part);
    }
    QCOMPARE(flow->heightForWidth(320), 40);
    QCOMPARE(flow->heightForWidth(319), 30 + 10 + 40);
    QCOMPARE(flow->heightForWidth(150), 20 + 10 + 30 + 10 + 40);
    flow->setGeometry(QRect(0, 0, 230, 200));
    QCOMPARE(parts[0]->geometry(), QRect(0, 5, 100, 20));
    QCOMPARE(parts[1]->geometry(), QRect(110, 0, 100, 30));
    QCOMPARE(parts[2]->geometry(), QRect(0, 40, 100, 40));
    // What is hidden takes no room.
    parts[1]->hide();
    QCOMPARE(flow->heightForWidth(230), 40);
    QCOMPARE(flow->minimumSize(), QSize(100, 40));
  }

  void aWidePartGetsOneLine() {
    QWidget parent;
    auto* const flow = new FlowLayout(&parent, 10);
    auto* const label = new QLabel(QString(200, u'x'), &parent);
    label->setMinimumWidth(30);
    flow->addWidget(label);
    flow->setGeometry(QRect(0, 0, 120, 60));
    QCOMPARE(label->width(), 120);
  }
};

}  // namespace dubito::test

#include "flow_layout_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::FlowLayoutTest)
