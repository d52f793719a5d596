// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <vector>

namespace dubito {

/// The numbers of a plot or table as rows of texts, integers and doubles (NaN: blank).
struct PlotTable {
  QStringList columns;
  std::vector<std::vector<QVariant>> rows;
};

/// RFC 4180 with a header line, '\n' line ends, '.' as decimal point; a double gets as many digits
/// as it holds.
[[nodiscard]] QString toCsv(const PlotTable& table);

/// A Markdown table; numbers are right-aligned and written as in toCsv.
[[nodiscard]] QString toMarkdown(const PlotTable& table);

/// A LaTeX tabular with the rules of booktabs; numbers are right-aligned and written as in toCsv.
[[nodiscard]] QString toLatex(const PlotTable& table);

/// The shortest text that reads back as the same double; empty for NaN.
[[nodiscard]] QString exactText(double value);

/// `value` with `digits` significant digits, for people; "–" for NaN.
[[nodiscard]] QString shortText(double value, int digits = 3);

}  // namespace dubito
