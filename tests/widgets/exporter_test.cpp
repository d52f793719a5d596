// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exporter.h"

#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QSignalSpy>
#include <cmath>

#include "tests/support/gui_test.h"
#include "tests/widgets/preview_data.h"
#include "widgets/compare_table.h"
#include "widgets/confusion_matrix.h"
#include "widgets/convention_table.h"
#include "widgets/key_value_list.h"
#include "widgets/latex_table.h"
#include "widgets/metric_table.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

/// RFC 4180, read back.
std::vector<QStringList> parsedCsv(const QString& text) {
  std::vector<QStringList> rows(1);
  QString cell;
  bool quoted = false;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar letter = text[i];
    if (quoted) {
      if (letter == u'"' && i + 1 < text.size() && text[i + 1] == u'"') {
        cell += letter;
        ++i;
      } else if (letter == u'"') {
        quoted = false;
      } else {
        cell += letter;
      }
    } else if (letter == u'"') {
      quoted = true;
    } else if (letter == u',' || letter == u'\n') {
      rows.back() << cell;
      cell.clear();
      if (letter == u'\n') {
        rows.emplace_back();
      }
    } else {
      cell += letter;
    }
  }
  rows.pop_back();
  return rows;
}

QString contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// What is saved of `table` reads back as it is.
void checkTable(Exporter& exporter, const PlotTable& table) {
  const TempDir folder;
  const auto saved = [&](const char* suffix) {
    const QString path = QString::fromStdString(folder.file(std::string("table.") + suffix));
    return exporter.saveAs(path) ? contentOf(path) : QString();
  };
  const std::vector<QStringList> rows = parsedCsv(saved("csv"));
  QVERIFY(rows.size() > 1U);
  QCOMPARE(rows.size(), table.rows.size() + 1);
  QCOMPARE(rows[0], table.columns);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    QCOMPARE(rows[i + 1].size(), table.columns.size());
    for (std::size_t j = 0; j < table.rows[i].size(); ++j) {
      const QVariant& cell = table.rows[i][j];
      const QString& text = rows[i + 1][static_cast<qsizetype>(j)];
      if (cell.typeId() == QMetaType::Double) {
        const double value = cell.toDouble();
        QVERIFY(std::isnan(value) ? text.isEmpty() : text.toDouble() == value);
      } else {
        QCOMPARE(text, cell.toString());
      }
    }
  }
  const QString latex = saved("tex");
  QVERIFY(latex.startsWith("\\begin{tabular}{") && latex.endsWith("\\end{tabular}\n"));
  for (const char* const rule : {"\\toprule", "\\midrule", "\\bottomrule"}) {
    QCOMPARE(latex.count(rule), 1);
  }
  int depth = 0;
  for (qsizetype i = 0; i < latex.size(); ++i) {
    const bool escaped = i > 0 && latex[i - 1] == u'\\';
    depth += latex[i] == u'{' && !escaped ? 1 : latex[i] == u'}' && !escaped ? -1 : 0;
    QVERIFY(depth >= 0);
  }
  QCOMPARE(depth, 0);
  for (const QString& line : latex.split('\n').mid(1)) {
    if (line.endsWith("\\\\")) {
      QString cells = line;
      QCOMPARE(cells.remove("\\&").count('&'), table.columns.size() - 1);
    }
  }
  const QStringList markdown = saved("md").split('\n', Qt::SkipEmptyParts);
  QCOMPARE(markdown.size(), static_cast<qsizetype>(table.rows.size()) + 2);
  for (QString line : markdown) {
    QCOMPARE(line.remove("\\|").count('|'), table.columns.size() + 1);
  }
}

QStringList entriesOf(const QMenu& menu) {
  QStringList texts;
  for (const QAction* const action : menu.actions()) {
    texts << action->text();
  }
  return texts;
}

std::vector<ConventionTableRow> conventions() {
  return {{"Calibration error", "15 bins (l, r], L1", "1.14 %", 0.0114159, "Dubito, \"us\"",
           "mean gap"},
          {"Calibration error", "100 bins | below 0.99", "–", std::nan(""), "laplace-redux",
           "forgets a bin"},
          {"Brier score", "half & sum_{c} of 50 %", "0.05", 0.05, "scikit-learn", "in [0, 1]"}};
}

}  // namespace

class ExporterTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void metricsReadBack() {
    MetricTable table;
    table.setRows(metricRows());
    checkTable(table.exporter(), table.table());
  }

  void comparedRunsReadBack() {
    CompareTable table;
    CompareTableValue value;
    value.columns = {{"accuracy", "share", true}, {"AUROC · entropy", "area", true}};
    value.rows = {
        {"MC dropout, T=50", "", false, 0, 0, true, {{"98 %", 0.98, ""}, {}}},
        {"MAP_softmax & more", "", false, 1, 1, false, {{"97 %", 0.97, ""}, {"0.9", 0.9, ""}}}};
    table.setValue(value);
    checkTable(table.exporter(), table.table());
  }

  void confusionReadsBackAndIsAPicture() {
    ConfusionMatrix matrix;
    ConfusionValue value;
    value.class_names = QStringList{"ant", "bee, wild", "cat"};
    value.counts = Array<std::int64_t>::fromVector({3, 3}, {5, 1, 0, 0, 7, 2, 3, 0, 9});
    matrix.setValue(value);
    matrix.setCaption("Confusion", "MAP softmax · insects");
    matrix.resize(300, 300);
    checkTable(matrix.exporter(), matrix.table());
    const TempDir folder;
    const std::pair<const char*, QByteArray> formats[] = {
        {"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}};
    for (const auto& [suffix, magic] : formats) {
      const QString path = QString::fromStdString(folder.file(std::string("matrix.") + suffix));
      QVERIFY(matrix.exporter().saveAs(path).has_value());
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(file.readAll().startsWith(magic));
    }
    const QString path = QString::fromStdString(folder.file("matrix.png"));
    const QImage twice(path);
    QVERIFY(matrix.exporter().saveAs(path, 4).has_value());
    const QImage large(path);
    QCOMPARE(large.size(), 2 * twice.size());
    QVERIFY(twice.width() >= 600);
    // The colour of a full cell is in it.
    const QColor right = twice.pixelColor(twice.width() / 2, twice.height() / 2);
    QVERIFY(right != twice.pixelColor(1, 1));
  }

  void itemMeasuresReadBack() {
    KeyValueList list;
    list.setValues(itemMeasures());
    list.setTitle("Item 7");
    QCOMPARE(list.table().rows.size(), itemMeasures().size());
    checkTable(list.exporter(), list.table());
  }

  void conventionsAreGroupedAndReadBack() {
    ConventionTable table;
    table.setRows(conventions());
    QCOMPARE(table.topLevelItemCount(), 2);
    QCOMPARE(table.topLevelItem(0)->childCount(), 2);
    QCOMPARE(table.topLevelItem(0)->child(1)->text(1), QString::fromUtf8("–"));
    QVERIFY(table.topLevelItem(0)->child(0)->toolTip(1).contains("0.0114159"));
    QVERIFY(table.topLevelItem(0)->child(1)->toolTip(1).contains("not defined"));
    checkTable(table.exporter(), table.table());
    applyTheme(*qApp, Theme::darkTheme());
    QCOMPARE(table.topLevelItem(1)->child(0)->foreground(1).color(), Theme::darkTheme().text);
    applyTheme(*qApp, Theme::light());
  }

  void theMenuOffersWhatThereIs() {
    MetricTable table;
    table.setRows(metricRows());
    QMenu of_table;
    table.exporter().addTo(of_table);
    for (const QString text : {"Copy as CSV", "Copy as Markdown", "Copy as LaTeX", "Save as CSV…",
                               "Save as Markdown…", "Save as LaTeX…"}) {
      QVERIFY2(entriesOf(of_table).contains(text), qPrintable(text));
    }
    QVERIFY(!entriesOf(of_table).contains("Save as SVG…"));
    ConfusionMatrix matrix;
    QMenu of_matrix;
    matrix.exporter().addTo(of_matrix);
    for (const QString text :
         {"Copy as PNG", "Save as PNG, 1× size…", "Save as PNG, 2× size…", "Save as PNG, 4× size…",
          "Save as SVG…", "Save as PDF…", "Save as LaTeX…"}) {
      QVERIFY2(entriesOf(of_matrix).contains(text), qPrintable(text));
    }
    of_table.actions().at(1)->trigger();
    QCOMPARE(QApplication::clipboard()->text(), table.markdown());
  }

  void columnsOfLatexAreChosen() {
    MetricTable table;
    table.setRows(metricRows());
    QMenu menu;
    table.exporter().addTo(menu);
    auto& columns = partOf<QMenu>(menu, "latexColumns");
    Q_EMIT columns.aboutToShow();
    QCOMPARE(entriesOf(columns),
             QStringList({"Show all", "Hide all", "", "metric", "score", "value"}));
    for (QAction* const column : columns.actions()) {
      if (column->text() == "score") {
        column->setChecked(false);
      }
    }
    table.exporter().copyText("tex");
    const QString latex = QApplication::clipboard()->text();
    QVERIFY(latex.contains("group & metric & value"));
    // As on screen, where the metric table rounds.
    QVERIFY(latex.contains(metricRows().front().value_text.split(' ').front()));
    table.exporter().copyText("csv");
    QVERIFY(QApplication::clipboard()->text().startsWith("group,metric,score,value"));
  }

  void filesAreNamedAfterTheTitleAndFailuresTold() {
    ConventionTable table;
    table.setRows(conventions());
    QString suggested;
    const TempDir folder;
    table.exporter().setFilePrompt([&](const QString& name, const QString&) {
      suggested = name;
      return QString::fromStdString(folder.file("chosen"));
    });
    QMenu menu;
    table.exporter().addTo(menu);
    menu.actions().back()->trigger();
    QCOMPARE(suggested, "conventions.tex");
    QCOMPARE(contentOf(QString::fromStdString(folder.file("chosen.tex"))), toLatex(table.table()));
    QSignalSpy failed(&table, &ConventionTable::failed);
    table.exporter().setFilePrompt(
        [](const QString&, const QString&) { return "/nonexistent/x.tex"; });
    menu.actions().back()->trigger();
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains("/nonexistent/x.tex"));
    QCOMPARE(table.exporter().saveAs("x.png").error().code, ErrorCode::kUnsupported);
  }
};

}  // namespace dubito::test

#include "exporter_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ExporterTest)
