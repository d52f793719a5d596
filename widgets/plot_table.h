// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <vector>

namespace dubito {

/// The numbers of a plot or table as rows of strings, integers and doubles (NaN: blank).
struct PlotTable {
  QStringList columns;
  std::vector<std::vector<QVariant>> rows;
};

/// CSV per RFC 4180 with a header line, '\n' line ends and '.' as decimal point; doubles keep their
/// full precision.
[[nodiscard]] QString toCsv(const PlotTable& table);

/// A Markdown table; numbers are right-aligned and formatted as in toCsv.
[[nodiscard]] QString toMarkdown(const PlotTable& table);

/// A LaTeX tabular with booktabs rules; numbers are right-aligned and formatted as in toCsv.
[[nodiscard]] QString toLatex(const PlotTable& table);

/// The shortest text that round-trips to the same double; empty for NaN.
[[nodiscard]] QString exactText(double value);

/// `value` rounded to `digits` significant digits, for display; "–" for NaN.
[[nodiscard]] QString shortText(double value, int digits = 3);

}  // namespace dubito
