// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "widgets/plot_table.h"

namespace dubito {

/// The table as a LaTeX tabular with booktabs rules: numbers rounded as on screen
/// (PlotTable::texts, else to four significant digits) and right-aligned, the best ones in bold.
[[nodiscard]] QString toLatex(const PlotTable& table);

/// A text of the window in LaTeX: special characters are escaped, thin spaces become `\,`, and
/// signs such as ± or τ become commands, so that any engine sets them.
[[nodiscard]] QString latexText(const QString& text);

}  // namespace dubito
