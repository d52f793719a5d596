// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "app/report/pdf_figure.h"
#include "app/report/pdf_page.h"
#include "app/report/pdf_table.h"
#include "app/report/report_content.h"
#include "app/report/svg_text.h"
#include "widgets/theme.h"
#include "widgets/tr.h"

namespace dubito {
namespace {

void addGroups(const ReportContent& content, PdfPages& pages) {
  double left = 0.0;
  const QFont font = pdfFont(9.0);
  for (const auto& [name, color] : content.groups) {
    constexpr double kSide = 8.0;
    const double width =
        QFontMetricsF(font).horizontalAdvance(name) / PdfPages::kPixelsPerPoint + 2.0;
    pages.painter().fillRect(PdfPages::pixels({left, pages.y() + 2.0, kSide, kSide}), color);
    pages.textAt({left + kSide + 4.0, pages.y(), width, 0.0}, name, font, Theme::light().text);
    left += kSide + width + kPdfGap;
  }
  pages.skip(kPdfGap + 2.0);
}

/// A figure in its column, with the heading of its section if it is the first one there.
struct PlacedFigure {
  const ReportFigure* figure;
  QString heading;
};

/// Height of the headings of a row of figures; 0 if no section begins there.
double headingHeight(const std::vector<PlacedFigure>& row, double width) {
  double height = 0.0;
  for (const PlacedFigure& placed : row) {
    if (!placed.heading.isEmpty()) {
      height =
          std::max(height, PdfPages::heightOf(placed.heading, pdfFont(13.0, true), width) + 4.0);
    }
  }
  return height;
}

/// The figures in two columns. A section may begin in the second one: no half of a page stays empty
/// because a section has an odd number of figures.
void addFigures(const ReportContent& content, PdfPages& pages) {
  const double width = (pages.width() - kPdfGap) / 2.0;
  std::vector<ReportFigure> figures;
  for (const ReportFigure& figure : content.figures) {
    figures.push_back(figure);
    // Texts are drawn as texts over the drawing, as of a study.
    if (auto parts = splitSvg(figure.svg)) {
      figures.back().svg = std::move(parts->drawing);
      figures.back().texts = std::move(parts->texts);
    }
  }
  for (std::size_t begin = 0; begin < figures.size(); begin += 2) {
    std::vector<PlacedFigure> row;
    double height = 0.0;
    for (std::size_t i = begin; i < std::min(begin + 2, figures.size()); ++i) {
      const bool is_first = i == 0 || figures[i - 1].section != figures[i].section;
      row.push_back({&figures[i], is_first ? figures[i].section : QString()});
      height = std::max(height, PdfFigure(figures[i], width).height());
    }
    const double heading = headingHeight(row, width);
    if (begin == 0) {
      pages.skip(kPdfGap);
    }
    pages.ensureSpace(heading + height + (begin == 0 ? 2.0 * kPdfGap : 0.0));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double left = static_cast<double>(i) * (width + kPdfGap);
      pages.textAt({left, pages.y(), width, heading}, row[i].heading, pdfFont(13.0, true),
                   Theme::light().text);
    }
    pages.skip(heading);
    if (begin == 0) {
      addGroups(content, pages);
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      PdfFigure(*row[i].figure, width).paint(pages, static_cast<double>(i) * (width + kPdfGap));
    }
    pages.skip(height + kPdfGap);
  }
}

void addImages(const ReportImages& group, PdfPages& pages) {
  if (!group.hasPictures()) {
    ReportTable table{
        group.title, group.caption, {tr("item"), tr("prediction"), tr("value")}, {}, true};
    for (const ReportImage& image : group.images) {
      table.rows.push_back({image.name, image.verdict, image.value});
    }
    addTable(table, pages);
    return;
  }
  constexpr std::size_t kPerRow = 6;
  constexpr double kSide = 72.0;
  const double step = pages.width() / static_cast<double>(kPerRow);
  const QFont font = pdfFont(7.5);
  const auto captionOf = [](const ReportImage& image) {
    return image.verdict + u'\n' + image.value + u'\n' + image.name;
  };
  const auto heightOf = [&](const ReportImage& image) {
    double height = kSide + 2.0;
    for (const QString& line : captionOf(image).split(u'\n')) {
      height += PdfPages::heightOf(line, font, step - 8.0);
    }
    return height;
  };
  pages.ensureSpace(heightOf(group.images.front()) + 40.0);
  pages.text(group.title, pdfFont(10.0, true), Theme::light().text);
  pages.text(group.caption, pdfFont(8.0), Theme::light().muted);
  pages.skip(3.0);
  for (std::size_t begin = 0; begin < group.images.size(); begin += kPerRow) {
    const std::size_t end = std::min(begin + kPerRow, group.images.size());
    double height = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      height = std::max(height, heightOf(group.images[i]));
    }
    pages.ensureSpace(height);
    for (std::size_t i = begin; i < end; ++i) {
      const double left = step * static_cast<double>(i - begin);
      const QImage& picture = group.images[i].picture;
      const QSizeF size = QSizeF(picture.size()).scaled(kSide, kSide, Qt::KeepAspectRatio);
      pages.painter().drawImage(PdfPages::pixels({{left, pages.y()}, size}), picture);
      double y = pages.y() + kSide + 2.0;
      for (const QString& line : captionOf(group.images[i]).split(u'\n')) {
        pages.textAt({left, y, step - 8.0, 0.0}, line, font, Theme::light().text);
        y += PdfPages::heightOf(line, font, step - 8.0);
      }
    }
    pages.skip(height + 6.0);
  }
  pages.skip(6.0);
}

void addSection(const QString& title, const std::vector<ReportTable>& tables, PdfPages& pages) {
  if (!tables.empty()) {
    addPdfHeading(title, 60.0, pages);
  }
  addTables(tables, pages);
}

void write(const ReportContent& content, PdfPages& pages) {
  const Theme theme = Theme::light();
  pages.text(content.title, pdfFont(18.0, true), theme.text);
  pages.text(content.subtitle, pdfFont(9.0), theme.muted);
  if (!content.notes.isEmpty()) {
    addPdfHeading(tr("Notes"), 20.0, pages);
    for (const QString& note : content.notes) {
      pages.text(QStringLiteral("• ") + note, pdfFont(9.0), theme.text);
    }
  }
  addSection(tr("Metrics"), content.metrics, pages);
  addFigures(content, pages);
  addSection(tr("Compared runs"), content.comparison, pages);
  if (!content.images.empty()) {
    addPdfHeading(tr("Images"), 150.0, pages);
    for (const ReportImages& group : content.images) {
      addImages(group, pages);
    }
  }
  ReportTable settings{tr("Run settings"), {}, {tr("setting"), tr("value")}, {}, true};
  for (const auto& [name, value] : content.settings) {
    settings.rows.push_back({name, value});
  }
  addSection(tr("Settings"), {settings}, pages);
  addSection(tr("Conventions"), content.conventions, pages);
}

}  // namespace

QByteArray reportPdf(const ReportContent& content) {
  return pdfOf(content.title, [&content](PdfPages& pages) { write(content, pages); });
}

}  // namespace dubito
