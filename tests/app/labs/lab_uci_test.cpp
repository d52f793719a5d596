// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/uci/lab_uci.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/app/support/lab_window.h"
#include "tests/support/gui_test.h"
#include "widgets/card.h"
#include "widgets/compare_table.h"

namespace dubito::test {

/// The laboratory "UCI table" in the real window.
class LabUciTest : public QObject, private LabWindow<LabUci> {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    openLaboratory(Laboratory::kUci);
    QTRY_VERIFY_WITH_TIMEOUT(!lab().busy(), kPatience);
  }
  void cleanup() { closeAll(); }

  void opensWithTheSample() {
    const auto path = sampleUciResults();
    QVERIFY(path);
    const auto results = readUciResults(*path);
    QVERIFY(results);
    const std::vector<UciSetRows> expected = uciTable(*results);
    const CompareTableValue& shown = table();
    QCOMPARE(shown.columns.size(), expected.size());
    QCOMPARE(shown.rows.front().cells.front().value, expected.front().rows.front().rmse.mean);
    QCOMPARE(shown.rows.back().name, QString::fromLatin1(uciPublished().back().name));
    QCOMPARE(part<QLabel>("uciSource").text(), QString("Results that come with this program"));
    QVERIFY(!part<QLabel>("uciSentence").text().isEmpty());
    QVERIFY(part<QLabel>("uciRowNotes").text().contains("MC dropout"));
  }

  void showsTheLogLikelihoodsToo() {
    const double rmse = table().rows[0].cells[0].value;
    Q_EMIT part<Card>("uciCard").choiceMade(1);
    QVERIFY(table().rows[0].cells[0].value != rmse);
    QCOMPARE(table().columns[0].high_is_good, std::optional(true));
    Q_EMIT part<Card>("uciCard").choiceMade(0);
    QCOMPARE(table().rows[0].cells[0].value, rmse);
    QCOMPARE(table().columns[0].high_is_good, std::optional(false));
  }

  void differencesOfMoreThanThreeErrorsAreMarked() {
    // Published for yacht: RMSE 1.11 +- 0.09, log-likelihood -1.55 +- 0.03.
    for (std::int64_t split = 0; split < 6; ++split) {
      write("mc-dropout-10x", split, 9.0 + 0.1 * static_cast<double>(split % 2), -1.55);
    }
    write("laplace", 0, 0.5, -1.0);
    openResults();
    QCOMPARE(table().columns.size(), std::size_t{1});
    QCOMPARE(table().rows[0].name, QString("MC dropout, 10x"));
    QVERIFY(table().rows[0].cells[0].text.endsWith(" (6) *"));
    QVERIFY(table().rows[0].cells[0].tooltip.contains("6 of 20 splits"));
    QVERIFY(!table().rows[1].cells[0].text.endsWith(" *"));
    QVERIFY(part<QLabel>("uciSentence").text().startsWith("1 of 2 comparisons"));
    Q_EMIT part<Card>("uciCard").choiceMade(1);
    QVERIFY(!table().rows[0].cells[0].text.endsWith(" *"));
  }

  void aDamagedFileIsNamedAndTheTableStays() {
    const std::size_t columns = table().columns.size();
    writeBytes(dir_->file("yacht.laplace.00.json"), "{\"set\":");
    QSignalSpy failed(&lab(), &LabView::failed);
    openResults();
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains(
        "yacht.laplace.00.json: is not JSON, or is incomplete; delete it"));
    QCOMPARE(table().columns.size(), columns);
    // An empty folder, then the sample again.
    std::filesystem::remove(dir_->file("yacht.laplace.00.json"));
    openResults();
    QCOMPARE(failed.count(), 2);
    QVERIFY(failed[1][0].toString().contains("has no results"));
    part<QPushButton>("uciOpenSample").click();
    QTRY_VERIFY_WITH_TIMEOUT(!lab().busy(), kPatience);
    QCOMPARE(failed.count(), 2);
    QCOMPARE(table().columns.size(), columns);
  }

 private:
  const CompareTableValue& table() { return part<CompareTable>("uciTable").value(); }
  void openResults() {
    lab().open(QString::fromStdString(dir_->path().string()));
    QTRY_VERIFY_WITH_TIMEOUT(!lab().busy(), kPatience);
  }
  void write(const char* method, std::int64_t split, double rmse, double log_likelihood) {
    UciResult result;
    result.set = "yacht";
    result.method = method;
    result.split = split;
    result.choice = {{"tau", 0.5}};
    result.test = {rmse, log_likelihood};
    QVERIFY(writeUciResult(uciResultPath(dir_->path().string(), "yacht", method, split), result));
  }
};

}  // namespace dubito::test

DUBITO_GUI_TEST_MAIN(dubito::test::LabUciTest)
#include "lab_uci_test.moc"
