// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/study_pdf.h"

#include <QFile>
#include <QSvgRenderer>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "core/study/svg_chart.h"
#include "tests/app/report/pdf_pages.h"
#include "tests/core/study/sample_study.h"
#include "tests/support/gui_test.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {
namespace {

/// Orange of a broken guarantee as PDF writes it.
constexpr const char* kOrange = "0.83529";

/// What the pages draw, uncompressed.
QByteArray drawingOf(const QByteArray& pdf) {
  QByteArray all;
  const QByteArray head = "/FlateDecode\n>>\nstream\n";
  for (qsizetype at = pdf.indexOf(head); at >= 0; at = pdf.indexOf(head, at + 1)) {
    const qsizetype begin = at + head.size();
    const qsizetype end = pdf.indexOf("endstream", begin);
    QByteArray part(4, '\0');
    part[1] = 0x40;  // at most 4 MiB
    all += qUncompress(part + pdf.mid(begin, end - begin));
  }
  return all;
}

std::vector<std::vector<ReportFigure>> figuresOf(const StudyFolder& study) {
  auto figures = readStudyFigures(study);
  return figures ? *std::move(figures) : std::vector<std::vector<ReportFigure>>();
}

QByteArray readAll(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class StudyPdfTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<TempDir>();
    path_ = folder_->file("study");
    writeSampleStudy(path_);
  }

  void writesTheReportIntoTheFolder() {
    const auto file = writeStudyPdf(QString::fromStdString(path_));
    QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
    QCOMPARE(*file, QString::fromStdString(path_ + "/report.pdf"));
    const QByteArray pdf = readAll(*file);
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY2(pagesOf(pdf) >= 2, qPrintable(QString::number(pagesOf(pdf))));
    // The title, in UTF-16.
    const QString title = QStringLiteral("Digits that turn");
    QByteArray wide;
    for (const QChar c : title) {
      wide += '\0';
      wide += c.toLatin1();
    }
    QVERIFY(pdf.contains(wide));
  }

  void figuresAreVectors() {
    const StudyFolder study = sampleStudy(path_);
    const auto figures = figuresOf(study);
    QCOMPARE(figures.size(), std::size_t{2});
    QCOMPARE(figures[0][0].size.width(), 560);
    const QByteArray with = studyPdf(study, figures);
    QVERIFY(!with.contains("/Subtype /Image"));
    // The blue of the curve.
    QVERIFY(drawingOf(with).contains("0.44705"));
    StudyFolder plain = study;
    plain.figures.clear();
    QVERIFY(!drawingOf(studyPdf(plain, {})).contains("0.44705"));
  }

  void textsOfFiguresAreText() {
    Chart chart{.title = "a < b",
                .x_label = "x",
                .y_label = "upwards",
                .x = {0, 1},
                .y = {0, 1},
                .series = {},
                .width = 464,
                .height = 280};
    const auto parts = splitSvg(QByteArray::fromStdString(chartSvg(chart)));
    QVERIFY(parts.has_value());
    QVERIFY(!parts->drawing.contains("<text"));
    QVERIFY(parts->drawing.contains("<line"));
    QCOMPARE(QSvgRenderer(parts->drawing).defaultSize(), QSize(464, 280));
    const auto textOf = [&parts](const char* words) {
      const auto found = std::ranges::find(parts->texts, QLatin1String(words), &SvgText::words);
      return found == parts->texts.end() ? SvgText() : *found;
    };
    const SvgText title = textOf("a < b");
    QCOMPARE(title.place, QPointF(52, 14));
    QCOMPARE(title.size, 12.0);
    QVERIFY(title.is_bold);
    QCOMPARE(title.color, QColor("#1F2328"));
    QCOMPARE(title.alignment, Qt::AlignLeft);
    const SvgText tick = textOf("0.2");
    QCOMPARE(tick.alignment, Qt::AlignRight);
    QCOMPARE(tick.size, 11.0);
    QVERIFY(!tick.is_bold);
    const SvgText y_label = textOf("upwards");
    QCOMPARE(y_label.degrees, -90.0);
    QCOMPARE(y_label.alignment, Qt::AlignHCenter);
    QVERIFY(!splitSvg("<svg><text>").has_value());
    // Outlines of letters are many curves.
    const StudyFolder study = sampleStudy(path_);
    auto figures = figuresOf(study);
    const auto size = [&] { return drawingOf(studyPdf(study, figures)).size(); };
    const qsizetype with_text = size();
    for (std::vector<ReportFigure>& group : figures) {
      group.front().texts.clear();
    }
    const qsizetype without = size();
    for (std::size_t i = 0; i < figures.size(); ++i) {
      figures[i].front().svg =
          QByteArray::fromStdString(readBytes(study.figures[i].figures.front().path));
    }
    const qsizetype with_outlines = size();
    QVERIFY(with_text > without);
    QVERIFY2(with_outlines - without > 5 * (with_text - without),
             qPrintable(QString("%1, %2, %3").arg(without).arg(with_text).arg(with_outlines)));
  }

  void narrowFiguresShareARow() {
    StudyFolder study = sampleStudy(path_);
    study.figures.erase(study.figures.begin());
    study.figures[0].figures.assign(40, study.figures[0].figures[0]);
    const int narrow = pagesOf(studyPdf(study, figuresOf(study)));
    study.figures = sampleStudy(path_).figures;
    study.figures.pop_back();
    study.figures[0].figures.assign(40, study.figures[0].figures[0]);
    const int wide = pagesOf(studyPdf(study, figuresOf(study)));
    QVERIFY2(wide >= narrow + 8, qPrintable(QString("%1 and %2").arg(wide).arg(narrow)));
  }

  void brokenGuaranteesAreOrange() {
    StudyFolder study = sampleStudy(path_);
    study.figures.clear();
    QVERIFY(drawingOf(studyPdf(study, {})).contains(kOrange));
    for (StudyCell& cell : study.results.cells) {
      for (StudyLabelling& one : cell.labelling) {
        one.kept.mean = 1.0;
      }
    }
    QVERIFY(!drawingOf(studyPdf(study, {})).contains(kOrange));
  }

  void anErrorNamesTheFile() {
    const auto errorOf = [](const std::string& path) {
      const auto file = writeStudyPdf(QString::fromStdString(path));
      return file ? QString() : QString::fromStdString(file.error().message);
    };
    const TempDir empty;
    QVERIFY(errorOf(empty.path().string()).contains("is not a study folder"));
    const std::string figure = path_ + "/figures/002-narrow.svg";
    writeBytes(figure, "no picture");
    QVERIFY(errorOf(path_).contains("002-narrow.svg: is not an SVG figure"));
    std::filesystem::remove(figure);
    QVERIFY(errorOf(path_).contains("002-narrow.svg: cannot be read"));
    QVERIFY(!std::filesystem::exists(path_ + "/report.pdf"));
  }

 private:
  std::unique_ptr<TempDir> folder_;
  std::string path_;
};

}  // namespace dubito::test

#include "study_pdf_test.moc"
DUBITO_GUI_TEST_MAIN(dubito::test::StudyPdfTest)
