// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <vector>

namespace dubito {

/// The content of a plot or table for export. Cells are strings, integers or doubles; NaN is
/// written as an empty cell.
struct PlotTable {
  QStringList columns;
  std::vector<std::vector<QVariant>> rows;
};

/// The table as CSV per RFC 4180, with a header line, '\n' line ends and '.' as decimal point.
/// Doubles have full precision.
[[nodiscard]] QString toCsv(const PlotTable& table);

/// The table as Markdown. Numbers are right-aligned and formatted as in toCsv.
[[nodiscard]] QString toMarkdown(const PlotTable& table);

/// The table as a LaTeX tabular with booktabs rules. Numbers are right-aligned and formatted as in
/// toCsv.
[[nodiscard]] QString toLatex(const PlotTable& table);

/// The shortest text that is read back as exactly `value`; empty for NaN.
[[nodiscard]] QString exactText(double value);

/// `value` rounded to `digits` significant digits, for display; "–" for NaN.
[[nodiscard]] QString shortText(double value, int digits = 3);

}  // namespace dubito
