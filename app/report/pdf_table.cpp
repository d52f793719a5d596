// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/pdf_table.h"

#include <QFontMetricsF>
#include <algorithm>
#include <numeric>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kTextSize = 8.5;
constexpr double kPadding = 4.0;
constexpr double kRowGap = 3.0;
constexpr double kMinColumn = 40.0;
constexpr double kMaxNumberHead = 80.0;  // longer heads of number columns wrap
constexpr double kMaxNameShare = 0.45;

using Columns = std::vector<int>;

double naturalWidth(const QString& text, const QFont& font) {
  // Slightly wider than the text, because rounding could wrap it.
  return QFontMetricsF(font).horizontalAdvance(text) / PdfPages::kPixelsPerPoint + 1.0;
}

/// Preferred width of each column.
std::vector<double> wantedWidths(const ReportTable& table, double room) {
  std::vector<double> widths;
  for (int c = 0; c < table.columns.size(); ++c) {
    double head = naturalWidth(table.columns[c], pdfFont(kTextSize, true));
    double cells = 0.0;
    for (const QStringList& row : table.rows) {
      cells = std::max(cells, naturalWidth(row.value(c), pdfFont(kTextSize)));
    }
    if (!table.is_text) {
      head = std::min(head, kMaxNumberHead);
    }
    double width = std::max({head, cells, kMinColumn}) + 2.0 * kPadding;
    if (c == 0) {
      width = std::min(width, kMaxNameShare * room);
    }
    widths.push_back(std::min(width, room));
  }
  return widths;
}

/// Shrinks the widest columns until all fit.
void shrink(std::vector<double>& widths, double room) {
  double excess = std::accumulate(widths.begin(), widths.end(), 0.0) - room;
  while (excess > 0.5) {
    const auto widest = std::ranges::max_element(widths);
    const double taken = std::min(excess, std::max(1.0, 0.05 * *widest));
    *widest -= taken;
    excess -= taken;
  }
}

class TablePart {
 public:
  TablePart(const ReportTable& table, Columns columns, std::vector<double> widths)
      : table_(table), columns_(std::move(columns)), widths_(std::move(widths)) {}

  void addTo(PdfPages& pages) const {
    const QFont head = pdfFont(kTextSize, true);
    const QFont body = pdfFont(kTextSize);
    const double head_height = height(table_.columns, head);
    const double first = table_.rows.empty() ? 0.0 : height(table_.rows.front(), body);
    pages.ensureSpace(head_height + first);
    addLine(table_.columns, head, Theme::light().muted, pages);
    for (const QStringList& row : table_.rows) {
      if (pages.ensureSpace(height(row, body))) {
        addLine(table_.columns, head, Theme::light().muted, pages);
      }
      addLine(row, body, Theme::light().text, pages);
    }
  }

 private:
  [[nodiscard]] double height(const QStringList& cells, const QFont& font) const {
    double most = 0.0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      most = std::max(
          most, PdfPages::heightOf(cells.value(columns_[i]), font, widths_[i] - 2.0 * kPadding));
    }
    return most + kRowGap;
  }
  void addLine(const QStringList& cells, const QFont& font, const QColor& color,
               PdfPages& pages) const {
    const double row_height = height(cells, font);
    double left = 0.0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_number = columns_[i] > 0 && !table_.is_text;
      pages.textAt(
          {left + kPadding, pages.y() + kRowGap / 2, widths_[i] - 2.0 * kPadding, row_height},
          cells.value(columns_[i]), font, color, is_number ? Qt::AlignRight : Qt::AlignLeft);
      left += widths_[i];
    }
    pages.skip(row_height);
    pages.painter().setPen(QPen(Theme::light().grid, 0.5 * PdfPages::kPixelsPerPoint));
    const QRectF line = PdfPages::pixels({0.0, pages.y(), left, 0.0});
    pages.painter().drawLine(line.topLeft(), line.topRight());
  }

  const ReportTable& table_;
  Columns columns_;
  std::vector<double> widths_;
};

}  // namespace

void addTable(const ReportTable& table, PdfPages& pages) {
  const double room = pages.width();
  const QFont title = pdfFont(10.0, true);
  // Keep the title together with the first rows.
  pages.ensureSpace(PdfPages::heightOf(table.title, title, room) + 5.0 * kTextSize);
  pages.text(table.title, title, Theme::light().text);
  if (!table.caption.isEmpty()) {
    pages.text(table.caption, pdfFont(8.0), Theme::light().muted);
  }
  std::vector<double> widths = wantedWidths(table, room);
  Columns all(widths.size());
  std::iota(all.begin(), all.end(), 0);
  if (table.is_text) {
    shrink(widths, room);
    TablePart(table, all, widths).addTo(pages);
  } else {
    for (std::size_t next = 1; next < widths.size() || next == 1;) {
      Columns columns{0};
      std::vector<double> part{widths.front()};
      double used = widths.front();
      while (next < widths.size() && (columns.size() == 1 || used + widths[next] <= room)) {
        columns.push_back(static_cast<int>(next));
        part.push_back(widths[next]);
        used += widths[next++];
      }
      shrink(part, room);
      TablePart(table, columns, part).addTo(pages);
      pages.skip(6.0);
      next += widths.size() == 1 ? 1 : 0;
    }
  }
  pages.skip(8.0);
}

}  // namespace dubito
