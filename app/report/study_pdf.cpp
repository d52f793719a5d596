// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/study_pdf.h"

#include <fmt/format.h>

#include <QDir>
#include <QFile>
#include <QSvgRenderer>
#include <algorithm>

#include "app/report/pdf_figure.h"
#include "app/report/pdf_table.h"
#include "app/report/report.h"
#include "core/study/study_content.h"
#include "core/study/study_values.h"
#include "widgets/theme.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

/// Wider figures have a row of their own.
constexpr int kMaxPairedWidth = 450;

QString toQt(const std::string& text) {
  return QString::fromStdString(text);
}

ReportTable tableOf(const StudyTable& table) {
  ReportTable report{.title = {},
                     .caption = toQt(table.caption),
                     .columns = {},
                     .rows = {},
                     .names = static_cast<int>(table.names),
                     .together = table.together,
                     .is_dense = true};
  for (const std::string& column : table.columns) {
    report.columns << toQt(column);
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    QStringList& cells = report.rows.emplace_back();
    for (const StudyText& cell : table.rows[row]) {
      if (cell.mark != StudyMark::kNone) {
        report.marks[{row, static_cast<int>(cells.size())}] =
            cell.mark == StudyMark::kBest ? ReportMark::kBest : ReportMark::kBroken;
      }
      cells << toQt(cell.text);
    }
  }
  return report;
}

void addList(const QString& heading, const std::vector<std::string>& lines, PdfPages& pages) {
  if (lines.empty()) {
    return;
  }
  addPdfHeading(heading, 20.0, pages);
  for (const std::string& line : lines) {
    pages.text(QStringLiteral("• ") + toQt(line), pdfFont(9.0), Theme::light().text);
  }
}

void addSection(const StudySection& section, PdfPages& pages) {
  addPdfHeading(toQt(section.heading), 80.0, pages);
  if (!section.text.empty()) {
    pages.text(toQt(section.text), pdfFont(8.0), Theme::light().muted);
    pages.skip(4.0);
  }
  for (const StudyTable& table : section.tables) {
    addTable(tableOf(table), pages);
  }
}

bool isWide(const ReportFigure& figure) {
  return figure.size.width() > kMaxPairedWidth;
}

/// Figures of a group, two narrow ones side by side.
void addFigures(const StudyFigureGroup& group, const std::vector<ReportFigure>& figures,
                PdfPages& pages) {
  for (std::size_t begin = 0; begin < figures.size();) {
    const bool is_pair =
        begin + 1 < figures.size() && !isWide(figures[begin]) && !isWide(figures[begin + 1]);
    const std::size_t end = begin + (is_pair ? 2 : 1);
    const double width = isWide(figures[begin]) ? pages.width() : (pages.width() - kPdfGap) / 2.0;
    double height = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      height = std::max(height, PdfFigure(figures[i], width).height());
    }
    if (begin == 0) {
      addPdfHeading(toQt(group.heading), height + 2.0 * kPdfGap, pages);
      pages.text(toQt(group.text), pdfFont(8.0), Theme::light().muted);
      pages.skip(4.0);
    }
    pages.ensureSpace(height);
    for (std::size_t i = begin; i < end; ++i) {
      PdfFigure(figures[i], width).paint(pages, static_cast<double>(i - begin) * (width + kPdfGap));
    }
    pages.skip(height + kPdfGap);
    begin = end;
  }
}

}  // namespace

Expected<std::vector<std::vector<ReportFigure>>> readStudyFigures(const StudyFolder& study) {
  std::vector<std::vector<ReportFigure>> groups;
  for (const StudyFigureGroup& group : study.figures) {
    std::vector<ReportFigure>& figures = groups.emplace_back();
    for (const StudyFigure& figure : group.figures) {
      QFile file(toQt(figure.path));
      if (!file.open(QIODevice::ReadOnly)) {
        return fail(ErrorCode::kReadFailed,
                    fmt::format("{}: cannot be read ({}); {}", figure.path,
                                file.errorString().toStdString(), kStudyRemedy));
      }
      const auto parts = splitSvg(file.readAll());
      QSvgRenderer renderer;
      if (!parts || !renderer.load(parts->drawing)) {
        return fail(ErrorCode::kMalformed,
                    fmt::format("{}: is not an SVG figure; {}", figure.path, kStudyRemedy));
      }
      figures.push_back({.section = {},
                         .title = {},
                         .caption = {},
                         .svg = parts->drawing,
                         .size = renderer.defaultSize(),
                         .texts = parts->texts});
    }
  }
  return groups;
}

QByteArray studyPdf(const StudyFolder& study,
                    const std::vector<std::vector<ReportFigure>>& figures) {
  const StudyContent content = studyContent(study);
  return pdfOf(toQt(content.title), [&](PdfPages& pages) {
    const Theme theme = Theme::light();
    pages.text(toQt(content.title), pdfFont(18.0, true), theme.text);
    pages.text(toQt(content.subtitle), pdfFont(9.0), theme.muted);
    addList(tr("Findings"), content.headline, pages);
    addList(tr("Notes"), content.notes, pages);
    for (const StudySection& section : content.sections) {
      addSection(section, pages);
    }
    for (std::size_t group = 0; group < figures.size(); ++group) {
      addFigures(study.figures[group], figures[group], pages);
    }
  });
}

Expected<QString> writeStudyPdf(const QString& folder) {
  const auto study = readStudyFolder(folder.toStdString());
  if (!study) {
    return failWith(study);
  }
  const auto figures = readStudyFigures(*study);
  if (!figures) {
    return failWith(figures);
  }
  const QString path = QDir(toQt(study->path)).filePath(QLatin1String(kStudyPdf));
  if (Status written = writeFile(path, studyPdf(*study, *figures)); !written) {
    return failWith(written);
  }
  return path;
}

}  // namespace dubito
