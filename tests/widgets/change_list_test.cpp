// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/change_list.h"

#include <QLabel>
#include <algorithm>

#include "tests/support/gui_test.h"

namespace dubito::test {

class ChangeListTest : public QObject {
  Q_OBJECT

  static QStringList texts(const ChangeList& list) {
    QStringList texts;
    for (const QLabel* const label : list.findChildren<QLabel*>()) {
      texts << label->text();
    }
    return texts;
  }

 private Q_SLOTS:
  void showsBeforeNowAndWhatItMeans() {
    ChangeList list;
    list.setChanges(
        {{"NLL (nats)", "0.0300", "0.0250", "−0.0050", Change::Verdict::kBetter, "full"},
         {"ECE", "1.00 %", "2.00 %", "+1.00 %", Change::Verdict::kWorse, {}}});
    const QStringList shown = texts(list);
    QVERIFY(shown.contains("0.0250"));
    QVERIFY(shown.contains("better"));
    QVERIFY(shown.contains("worse"));
    list.setChanges({{"ECE", "1.00 %", "1.00 %", "0.00 %", Change::Verdict::kNone, {}}});
    QVERIFY(!texts(list).contains("better"));
    QVERIFY(!texts(list).contains("worse"));
    QVERIFY(!texts(list).contains("NLL (nats)"));
  }

  void aNarrowListKeepsWhatTellsItsLinesApart() {
    ChangeList list;
    list.setChanges({{"AUROC in vs OOD fashion", "0.9", "0.8", "−0.1", Change::Verdict::kWorse,
                      "0.9 → 0.8", "AUROC fashion"}});
    list.resize(600, 200);
    list.show();
    QTRY_VERIFY(texts(list).contains("AUROC in vs OOD fashion"));
    list.resize(260, 200);
    QTRY_VERIFY(texts(list).contains("AUROC fashion"));
    QVERIFY(!texts(list).contains("worse"));
    for (const QLabel* const label : list.findChildren<QLabel*>()) {
      QVERIFY(label->text() != "0.9" || !label->isVisible());
    }
    list.resize(600, 200);
    QTRY_VERIFY(texts(list).contains("worse"));
  }

  void aNarrowListCanKeepTheOldValues() {
    ChangeList list;
    list.setKeepsBefore(true);
    list.setChanges({{"answers right, reviewed images", "68.00 %", "81.00 %", "+13.00 %",
                      Change::Verdict::kNone, "68 → 81", "right, reviewed"}});
    const auto isShown = [&list](const QString& text) {
      return std::ranges::any_of(list.findChildren<QLabel*>(), [&text](const QLabel* label) {
        return label->text() == text && label->isVisible() &&
               label->width() >= label->fontMetrics().horizontalAdvance(text);
      });
    };
    list.resize(270, 200);  // room for all numbers
    list.show();
    QTRY_VERIFY(isShown("68.00 %") && isShown("81.00 %") && isShown("+13.00 %"));
    list.resize(200, 200);
    QTRY_VERIFY(!isShown("+13.00 %"));
    QTRY_VERIFY(isShown("before") && isShown("68.00 %") && isShown("81.00 %"));
    QVERIFY(!isShown("change"));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::ChangeListTest)
#include "change_list_test.moc"
