// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report.h"

#include <QFile>
#include <QSvgRenderer>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/compare/compare_table_value.h"
#include "app/explore/overview_values.h"
#include "app/report/report_figures.h"
#include "app/words/words.h"
#include "core/analysis/comparison.h"
#include "core/analysis/item_query.h"
#include "tests/app/report/pdf_pages.h"
#include "tests/core/analysis/sample_analysis.h"
#include "tests/support/gui_test.h"
#include "widgets/theme.h"

namespace dubito::test {
namespace {

/// The sample with what the metadata of a real run holds.
AnalysisPtr annotated() {
  auto analysis = std::make_shared<Analysis>(*sampleAnalysis());
  analysis->name = "MC dropout, 8 draws";
  AnalysisPart& part = analysis->parts.front();
  auto run = std::make_shared<Run>(*part.run);
  run->meta.method_options = R"({"draws": 8, "fitted": {"temperature": 1.25}, "invented": null})";
  run->meta.notes = {"batch halved for lack of memory <twice>"};
  run->meta.skipped = {{"broken.png", "not a picture"}};
  run->meta.stopped_early = true;
  part.run = run;
  return analysis;
}

ReportContent contentOf(const ReportSource& source) {
  RunContext context;
  auto content = reportContent(source, reportFigures(source), context);
  return content ? std::move(*content) : ReportContent{};
}

}  // namespace

class ReportTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void figuresAreVectorsInTheLightTheme() {
    applyTheme(*qApp, Theme::darkTheme());
    const ReportSource source{sampleAnalysis(), nullptr, {}, nullptr};
    const std::vector<ReportFigure> figures = reportFigures(source);
    QVERIFY(currentTheme() == Theme::darkTheme());
    QStringList titles;
    for (const ReportFigure& figure : figures) {
      titles << figure.title;
      QVERIFY2(QSvgRenderer(figure.svg).isValid(), qPrintable(figure.title));
      const QString svg = QString::fromUtf8(figure.svg);
      QVERIFY2(!svg.contains(Theme::darkTheme().panel.name()), qPrintable(figure.title));
      QVERIFY2(svg.contains("<text") || svg.contains("<path"), qPrintable(figure.title));
      // Cells of a confusion matrix are pixels; curves and bars are not.
      QVERIFY2(figure.title == "Confusion matrix" || !svg.contains("<image"),
               qPrintable(figure.title));
    }
    for (const char* const title : {"Confidence", "Entropy", "Mutual information", "ROC",
                                    "Precision–recall", "Rejection", "Confusion matrix"}) {
      QVERIFY2(titles.contains(QString::fromUtf8(title)), title);
    }
    applyTheme(*qApp, Theme::light());
  }

  void settingsAndNotesAreWords() {
    const AnalysisPtr analysis = annotated();
    const auto settings = reportSettings(*analysis);
    const auto valueOf = [&settings](const QString& name) {
      const auto found = std::ranges::find(settings, name, &std::pair<QString, QString>::first);
      return found == settings.end() ? QString() : found->second;
    };
    QCOMPARE(valueOf("Method"), "MC dropout, 8 draws");
    QCOMPARE(valueOf("Draws"), "8");
    QCOMPARE(valueOf("Fitted"), "temperature 1.250");
    QCOMPARE(valueOf("Invented"), "automatic");
    QCOMPARE(valueOf("OOD dataset"), "noise, 20 items (OOD)");
    for (const auto& [name, value] : settings) {
      QVERIFY2(!value.contains('{') && !value.contains('"'), qPrintable(name + ": " + value));
    }
    const QStringList notes = contentOf({analysis, nullptr, {}, nullptr}).notes;
    QCOMPARE(notes.size(), 3);
    QCOMPARE(notes[0], "insects: batch halved for lack of memory <twice>");
    QVERIFY(notes[1].contains("stopped early"));
    QVERIFY(notes[2].contains("broken.png (not a picture)"));
  }

  void theWorstImagesComeFirst() {
    const AnalysisPtr analysis = sampleAnalysis();
    RunContext context;
    const auto groups = reportImages(analysis, context);
    QVERIFY(groups.has_value());
    QCOMPARE(groups->size(), 3U);
    std::vector<double> mistakes;
    const Run& run = *analysis->in().run;
    for (std::int64_t row = 0; row < run.itemCount(); ++row) {
      if (run.predictions.data()[row] != run.labels.data()[row]) {
        mistakes.push_back(run.confidence.data()[row]);
      }
    }
    std::ranges::sort(mistakes, std::ranges::greater());
    const ReportImages& first = groups->front();
    QCOMPARE(first.title, "Most confident mistakes");
    QCOMPARE(first.images.size(), std::min<std::size_t>(12, mistakes.size()));
    for (std::size_t i = 0; i < first.images.size(); ++i) {
      QCOMPARE(first.images[i].value, "confidence " + shortText(mistakes[i], 4));
      QVERIFY(first.images[i].verdict.contains("label "));
      // Small pictures are enlarged by whole factors.
      QCOMPARE(first.images[i].picture.size(), QSize(112, 112));
    }
    QCOMPARE(groups->back().title, "Most confident OOD items");
    context.control()->requestCancel();
    QVERIFY(!reportImages(analysis, context).has_value());
  }

  void theWorstComeInTheOrderOfWhatTheLogitsKnow() {
    const auto analysis = std::make_shared<Analysis>(*sampleAnalysis());
    AnalysisPart& part = analysis->parts.front();
    // Confidences that all round to 1; the rest of the probability still orders them.
    Array<double>& confidence = part.measures[static_cast<std::size_t>(Measure::kConfidence)];
    part.log_rest = Array<double>::zeros({part.run->itemCount()});
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      confidence.mutableData()[row] = 1.0;
      part.log_rest.mutableData()[row] = -50.0 - static_cast<double>((row * 7) % 60);
    }
    RunContext context;
    const auto groups = reportImages(analysis, context);
    QVERIFY(groups && !groups->empty());
    std::vector<std::pair<double, QString>> expected;
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      const ItemRef item{0, row};
      if (groupOf(*analysis, item) == ItemGroup::kMisclassified) {
        expected.emplace_back(part.log_rest.data()[row], itemName(*analysis, item));
      }
    }
    std::ranges::sort(expected);
    const std::vector<ReportImage>& images = groups->front().images;
    for (std::size_t i = 0; i < images.size(); ++i) {
      QCOMPARE(images[i].name, expected[i].second);
    }
  }

  void runsHaveTheNamesThatTheyWereGiven() {
    const AnalysisPtr first = sampleAnalysis();
    const AnalysisPtr second = sampleAnalysisWithoutDraws();
    ReportSource source{first, nullptr, {first, second}, nullptr};
    source.names = {"baseline", ""};
    const ReportContent content = contentOf(source);
    QVERIFY(!content.comparison.empty());
    QVERIFY(content.comparison.front().columns.contains("baseline"));
  }

  void theHtmlIsOneFileThatHoldsEverything() {
    const ReportSource source{
        annotated(), nullptr, {annotated(), sampleAnalysisWithoutDraws()}, nullptr};
    const ReportContent content = contentOf(source);
    const QString html = QString::fromUtf8(reportHtml(content));
    QCOMPARE(html.count("data:image/svg+xml;base64,"),
             static_cast<qsizetype>(content.figures.size()));
    QCOMPARE(html.count("data:image/png;base64,"),
             12 * 3 - (12 - std::ssize(content.images[0].images)));
    QVERIFY(!html.contains("src=\"http") && !html.contains("href=\"http"));
    QVERIFY(!html.contains("{&quot;") && !html.contains("Preparing"));
    QVERIFY(html.contains("batch halved for lack of memory &lt;twice&gt;"));
    for (const MetricTableRow& row : tableRows(source.analysis->evaluation)) {
      QVERIFY2(html.contains("<td>" + row.value_text.toHtmlEscaped() + "</td>"),
               qPrintable(row.name));
    }
    for (const char* const heading : {"Metrics", "Uncertainty", "Calibration", "Comparison",
                                      "Compared runs", "Images", "Settings", "Conventions"}) {
      QVERIFY2(html.contains(QString("<h2>%1</h2>").arg(heading)), heading);
    }
  }

  void thePdfHasAsManyPagesAsItNeeds() {
    const ReportSource source{annotated(), nullptr, {}, nullptr};
    ReportContent content = contentOf(source);
    const QByteArray plain = reportPdf(content);
    QVERIFY(plain.startsWith("%PDF"));
    const int pages = pagesOf(plain);
    QVERIFY(pages >= 3);
    // 200 rows of 40 number columns take columns of tables and pages, not the margin.
    ReportTable wide;
    wide.title = "wide";
    for (int column = 0; column < 40; ++column) {
      wide.columns << QString("column %1").arg(column);
    }
    for (int row = 0; row < 200; ++row) {
      QStringList line;
      for (int column = 0; column < 40; ++column) {
        line << QString::number(row * column);
      }
      wide.rows.push_back(line);
    }
    content.comparison = {wide};
    const int added = pagesOf(reportPdf(content)) - pages;
    QVERIFY2(added >= 20, qPrintable(QString::number(added)));
  }

  void figuresKeepTheirProportions() {
    const ReportSource source{annotated(), nullptr, {}, nullptr};
    for (const ReportFigure& figure : reportFigures(source)) {
      const QSizeF view = QSvgRenderer(figure.svg).viewBoxF().size();
      QCOMPARE(QSizeF(figure.size), view);
      // All figures of a column have one scale, so one font size.
      QCOMPARE(figure.size.width(), 436);
    }
  }

  void numbersOfTablesAreThoseOfFigures() {
    const ReportSource source{
        annotated(), nullptr, {annotated(), sampleAnalysisWithoutDraws()}, nullptr};
    const CompareTableValue table =
        compareTableValue(compareRuns(source.compared, source.names), source.analysis);
    QVERIFY(!table.rows.empty());
    for (const CompareTableValue::Row& row : table.rows) {
      for (const CompareTableValue::Cell& cell : row.cells) {
        if (!std::isnan(cell.value) && !cell.text.contains(QString::fromUtf8("±"))) {
          QVERIFY2(cell.text == scoreText(cell.value) || cell.text == shareText(cell.value),
                   qPrintable(cell.text));
        }
      }
    }
  }

  void narrowTablesStandSideBySide() {
    const auto pagesWith = [](bool is_text) {
      ReportContent content;
      content.title = "tables";
      for (int i = 0; i < 24; ++i) {
        ReportTable table;
        table.title = QString("table %1").arg(i);
        table.columns = {"metric", "value"};
        table.is_text = is_text;
        for (int row = 0; row < 12; ++row) {
          table.rows.push_back({"accuracy", "98.22 %"});
        }
        content.metrics.push_back(table);
      }
      return pagesOf(reportPdf(content));
    };
    const int narrow = pagesWith(false);
    const int wide = pagesWith(true);
    QVERIFY2(2 * narrow <= wide + 1, qPrintable(QString("%1 and %2").arg(narrow).arg(wide)));
  }

  void theFilesThatScriptsReadAreWritten() {
    const TempDir folder;
    ReportInput input;
    input.source = {annotated(), nullptr, {}, nullptr};
    input.figures = reportFigures(input.source);
    input.pages = {{"overview", QImage(8, 8, QImage::Format_RGB32)}};
    input.pages[0].image.fill(Qt::white);
    RunContext context;
    const QString path = QString::fromStdString(folder.file("out"));
    const auto files = writeReport(path, input, context);
    QVERIFY(files.has_value());
    for (const char* const name :
         {"report.html", "report.pdf", "metrics.csv", "evaluation.json", "overview.png"}) {
      QVERIFY2(QFile::exists(path + u'/' + name), name);
      QVERIFY2(files->contains(path + u'/' + name), name);
    }
    context.control()->requestCancel();
    QCOMPARE(writeReport(path, input, context).error().code, ErrorCode::kCancelled);
  }
};

}  // namespace dubito::test

#include "report_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::ReportTest)
