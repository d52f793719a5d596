// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/pdf_table.h"

#include <QFontMetricsF>
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kRowGap = 3.0;
constexpr double kMaxNameShare = 0.45;
constexpr const char* kBrokenColor = "#d55e00";

/// Lengths in points.
struct TableSizes {
  double text = 8.5;
  double padding = 4.0;
  double min_column = 40.0;
  double max_number_head = 80.0;  ///< longer heads of number columns wrap
};
constexpr TableSizes kDense{
    .text = 7.0, .padding = 2.5, .min_column = 28.0, .max_number_head = 60.0};

TableSizes sizesOf(const ReportTable& table) {
  return table.is_dense ? kDense : TableSizes();
}

using Columns = std::vector<int>;

double naturalWidth(const QString& text, const QFont& font) {
  // Slightly wider than the text, because rounding could wrap it.
  return QFontMetricsF(font).horizontalAdvance(text) / PdfPages::kPixelsPerPoint + 1.0;
}

/// The mark of a cell; nullopt: none.
std::optional<ReportMark> markOf(const ReportTable& table, std::size_t row, int column) {
  const auto mark = table.marks.find({row, column});
  return mark == table.marks.end() ? std::nullopt : std::optional(mark->second);
}

/// Shrinks the widest columns until all fit.
void shrink(std::span<double> widths, double room) {
  double excess = std::accumulate(widths.begin(), widths.end(), 0.0) - room;
  while (excess > 0.5) {
    const auto widest = std::ranges::max_element(widths);
    const double taken = std::min(excess, std::max(1.0, 0.05 * *widest));
    *widest -= taken;
    excess -= taken;
  }
}

/// Preferred width of each column.
std::vector<double> wantedWidths(const ReportTable& table, double room) {
  const TableSizes sizes = sizesOf(table);
  std::vector<double> widths;
  for (int c = 0; c < table.columns.size(); ++c) {
    double head = naturalWidth(table.columns[c], pdfFont(sizes.text, true));
    double cells = 0.0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      cells = std::max(cells, naturalWidth(table.rows[row].value(c),
                                           pdfFont(sizes.text, markOf(table, row, c).has_value())));
    }
    if (!table.is_text && c >= table.names) {
      head = std::min(head, sizes.max_number_head);
    }
    widths.push_back(
        std::min(std::max({head, cells, sizes.min_column}) + 2.0 * sizes.padding, room));
  }
  shrink(std::span(widths).first(static_cast<std::size_t>(table.names)), kMaxNameShare * room);
  return widths;
}

class TablePart {
 public:
  /// `left`: distance from the left margin.
  TablePart(const ReportTable& table, Columns columns, std::vector<double> widths,
            double left = 0.0)
      : table_(table),
        sizes_(sizesOf(table)),
        columns_(std::move(columns)),
        widths_(std::move(widths)),
        left_(left) {}

  /// Of the head and all rows.
  [[nodiscard]] double wholeHeight() const {
    double sum = height(kHead);
    for (int row = 0; row < static_cast<int>(table_.rows.size()); ++row) {
      sum += height(row);
    }
    return sum;
  }

  void addTo(PdfPages& pages) const {
    const double head_height = height(kHead);
    pages.ensureSpace(head_height + (table_.rows.empty() ? 0.0 : height(0)));
    addLine(kHead, pages);
    for (int row = 0; row < static_cast<int>(table_.rows.size()); ++row) {
      if (pages.ensureSpace(height(row))) {
        addLine(kHead, pages);
      }
      addLine(row, pages);
    }
  }

 private:
  static constexpr int kHead = -1;

  [[nodiscard]] QString textOf(int row, int column) const {
    return row == kHead ? table_.columns.value(column)
                        : table_.rows[static_cast<std::size_t>(row)].value(column);
  }
  [[nodiscard]] std::optional<ReportMark> markAt(int row, int column) const {
    return row == kHead ? std::nullopt : markOf(table_, static_cast<std::size_t>(row), column);
  }
  [[nodiscard]] QFont fontOf(int row, int column) const {
    return pdfFont(sizes_.text, row == kHead || markAt(row, column));
  }
  [[nodiscard]] QColor colorOf(int row, int column) const {
    if (row == kHead) {
      return Theme::light().muted;
    }
    return markAt(row, column) == ReportMark::kBroken ? QColor(kBrokenColor) : Theme::light().text;
  }
  [[nodiscard]] double height(int row) const {
    double max_height = 0.0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      max_height = std::max(max_height,
                            PdfPages::heightOf(textOf(row, columns_[i]), fontOf(row, columns_[i]),
                                               widths_[i] - 2.0 * sizes_.padding));
    }
    return max_height + kRowGap;
  }
  void addLine(int row, PdfPages& pages) const {
    const double row_height = height(row);
    double left = left_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_number = columns_[i] >= table_.names && !table_.is_text;
      pages.textAt({left + sizes_.padding, pages.y() + kRowGap / 2,
                    widths_[i] - 2.0 * sizes_.padding, row_height},
                   textOf(row, columns_[i]), fontOf(row, columns_[i]), colorOf(row, columns_[i]),
                   is_number ? Qt::AlignRight : Qt::AlignLeft);
      left += widths_[i];
    }
    pages.skip(row_height);
    pages.painter().setPen(QPen(Theme::light().grid, 0.5 * PdfPages::kPixelsPerPoint));
    const QRectF line = PdfPages::pixels({left_, pages.y(), left - left_, 0.0});
    pages.painter().drawLine(line.topLeft(), line.topRight());
  }

  const ReportTable& table_;
  TableSizes sizes_;
  Columns columns_;
  std::vector<double> widths_;
  double left_;
};

constexpr double kSideGap = 18.0;
constexpr double kMaxSideHeight = 420.0;  ///< taller tables may need more than a page
constexpr double kMaxTitleShare = 0.45;

QFont tableTitleFont() {
  return pdfFont(10.0, true);
}
QFont tableCaptionFont() {
  return pdfFont(8.0);
}

/// A table next to others.
struct SideTable {
  const ReportTable* table = nullptr;
  Columns columns = {};
  std::vector<double> widths = {};
  double width = 0.0;
  double title_height = 0.0;
  double caption_height = 0.0;
  double height = 0.0;  ///< with title and caption
};

double tableTextHeight(const QString& text, const QFont& font, double width) {
  return text.isEmpty() ? 0.0 : PdfPages::heightOf(text, font, width);
}

SideTable sideTable(const ReportTable& table, double room) {
  SideTable side{.table = &table, .widths = wantedWidths(table, room)};
  side.columns.resize(side.widths.size());
  std::iota(side.columns.begin(), side.columns.end(), 0);
  side.width =
      std::max(std::accumulate(side.widths.begin(), side.widths.end(), 0.0),
               std::min(naturalWidth(table.title, tableTitleFont()), kMaxTitleShare * room));
  if (side.width > room) {
    side.height = std::numeric_limits<double>::infinity();
    return side;
  }
  side.title_height = tableTextHeight(table.title, tableTitleFont(), side.width);
  side.caption_height = tableTextHeight(table.caption, tableCaptionFont(), side.width);
  side.height = side.title_height + side.caption_height +
                TablePart(table, side.columns, side.widths).wholeHeight();
  return side;
}

void paintSide(const SideTable& side, double left, PdfPages& pages) {
  const Theme light = Theme::light();
  pages.textAt({left, pages.y(), side.width, side.title_height}, side.table->title,
               tableTitleFont(), light.text);
  pages.textAt({left, pages.y() + side.title_height, side.width, side.caption_height},
               side.table->caption, tableCaptionFont(), light.muted);
  const double head = side.title_height + side.caption_height;
  pages.skip(head);
  TablePart(*side.table, side.columns, side.widths, left).addTo(pages);
  pages.skip(-side.height);
}

}  // namespace

void addTables(const std::vector<ReportTable>& tables, PdfPages& pages) {
  for (std::size_t begin = 0; begin < tables.size();) {
    std::vector<SideTable> row;
    double used = 0.0;
    double height = 0.0;
    for (std::size_t i = begin; i < tables.size() && !tables[i].is_text; ++i) {
      SideTable side = sideTable(tables[i], pages.width());
      const double gap = row.empty() ? 0.0 : kSideGap;
      if (used + gap + side.width > pages.width() || side.height > kMaxSideHeight) {
        break;
      }
      used += gap + side.width;
      height = std::max(height, side.height);
      row.push_back(std::move(side));
    }
    if (row.size() < 2) {
      addTable(tables[begin], pages);
      ++begin;
      continue;
    }
    pages.ensureSpace(height);
    double left = 0.0;
    for (const SideTable& side : row) {
      paintSide(side, left, pages);
      left += side.width + kSideGap;
    }
    pages.skip(height + 14.0);
    begin += row.size();
  }
}

void addTable(const ReportTable& table, PdfPages& pages) {
  const double room = pages.width();
  const QFont title = tableTitleFont();
  // Keep the title together with the first rows.
  const double title_height =
      table.title.isEmpty() ? 0.0 : PdfPages::heightOf(table.title, title, room);
  pages.ensureSpace(title_height + 5.0 * sizesOf(table).text);
  if (!table.title.isEmpty()) {
    pages.text(table.title, title, Theme::light().text);
  }
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
    const auto names = static_cast<std::size_t>(table.names);
    for (std::size_t next = names; next < widths.size() || next == names;) {
      Columns columns(all.begin(), all.begin() + table.names);
      std::vector<double> part(widths.begin(), widths.begin() + table.names);
      double used = std::accumulate(part.begin(), part.end(), 0.0);
      while (next < widths.size()) {
        const std::size_t end =
            std::min(next + static_cast<std::size_t>(table.together), widths.size());
        const double group =
            std::accumulate(widths.begin() + static_cast<std::ptrdiff_t>(next),
                            widths.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
        if (columns.size() > names && used + group > room) {
          break;
        }
        for (; next < end; ++next) {
          columns.push_back(static_cast<int>(next));
          part.push_back(widths[next]);
        }
        used += group;
      }
      shrink(part, room);
      TablePart(table, columns, part).addTo(pages);
      pages.skip(6.0);
      next += widths.size() == names ? 1 : 0;
    }
  }
  pages.skip(8.0);
}

}  // namespace dubito
