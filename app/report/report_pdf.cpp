// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <algorithm>

#include "app/report/pdf_figure.h"
#include "app/report/pdf_page.h"
#include "app/report/pdf_table.h"
#include "app/report/report_content.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("report", text);
}

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

void addFigures(const ReportContent& content, PdfPages& pages) {
  const double width = (pages.width() - kPdfGap) / 2.0;
  for (std::size_t i = 0; i < content.figures.size();) {
    const ReportFigure& first = content.figures[i];
    const bool has_second =
        i + 1 < content.figures.size() && content.figures[i + 1].section == first.section;
    const PdfFigure left(first, width);
    const PdfFigure right(content.figures[has_second ? i + 1 : i], width);
    const double height = std::max(left.height(), right.height());
    if (i == 0 || content.figures[i - 1].section != first.section) {
      addPdfHeading(first.section, height + (i == 0 ? 2.0 * kPdfGap : 0.0), pages);
      if (i == 0) {
        addGroups(content, pages);
      }
    }
    pages.ensureSpace(height);
    left.paint(pages, 0.0);
    if (has_second) {
      right.paint(pages, width + kPdfGap);
    }
    pages.skip(height + kPdfGap);
    i += has_second ? 2 : 1;
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

void addTables(const QString& title, const std::vector<ReportTable>& tables, PdfPages& pages) {
  if (!tables.empty()) {
    addPdfHeading(title, 60.0, pages);
  }
  for (const ReportTable& table : tables) {
    addTable(table, pages);
  }
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
  addTables(tr("Metrics"), content.metrics, pages);
  addFigures(content, pages);
  addTables(tr("Compared runs"), content.comparison, pages);
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
  addTables(tr("Settings"), {settings}, pages);
  addTables(tr("Conventions"), content.conventions, pages);
}

}  // namespace

QByteArray reportPdf(const ReportContent& content) {
  return pdfOf(content.title, [&content](PdfPages& pages) { write(content, pages); });
}

}  // namespace dubito
