// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <set>
#include <utility>
#include <vector>

namespace dubito {

/// The content of a plot or table for export. Cells are strings, integers or doubles; NaN is
/// written as an empty cell.
struct PlotTable {
  QStringList columns;
  std::vector<std::vector<QVariant>> rows;
  std::vector<QStringList> texts = {};  ///< the cells as on screen, by row; empty: not given
  std::set<std::pair<std::size_t, int>> best = {};  ///< row and column of the best values
  QStringList hidden_columns = {};                  ///< that the screen does not show
  std::set<std::size_t> hidden_rows = {};
};

/// The table as CSV per RFC 4180, with a header line, '\n' line ends and '.' as decimal point.
/// Doubles have full precision.
[[nodiscard]] QString toCsv(const PlotTable& table);

/// The table as Markdown. Numbers are right-aligned and formatted as in toCsv.
[[nodiscard]] QString toMarkdown(const PlotTable& table);

/// The table without its hidden rows and the columns named in `hidden`; the first one, which names
/// the rows, stays.
[[nodiscard]] PlotTable shownPart(const PlotTable& table, const QStringList& hidden);

/// The shortest text that is read back as exactly `value`; empty for NaN.
[[nodiscard]] QString exactText(double value);

/// `value` rounded to `digits` significant digits, for display; "–" for NaN.
[[nodiscard]] QString shortText(double value, int digits = 3);

}  // namespace dubito
