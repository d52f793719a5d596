// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/labs/simplex/simplex_lab.h"
#include "widgets/compare_table.h"
#include "widgets/curve_plot.h"
#include "widgets/simplex_plot.h"

namespace dubito {

/// "0.2, 0.3, 0.5".
[[nodiscard]] QString numbersOf(const std::vector<double>& values);
/// Name of an approximation in the window: "bridge-centred".
[[nodiscard]] QString approximationName(const LogitApproximation& form);

/// The exact distribution over three classes, with some of the samples; without an outline.
[[nodiscard]] SimplexValue exactTriangle(const SimplexResult& result);
/// The Dirichlet of an approximation over three classes.
[[nodiscard]] SimplexValue dirichletTriangle(const SimplexResult& result, std::size_t index);
/// Two classes: densities of the probability of class 1 (exact, samples, Beta of the approximation,
/// and the Gaussian around the mode of that Beta), and the same in the logit.
[[nodiscard]] CurvePlotValue probabilityLines(const SimplexResult& result, std::size_t index);
[[nodiscard]] CurvePlotValue logitLines(const SimplexResult& result, std::size_t index);

/// "α = 8, 3, 2 · KL 0.0123 nats · total variation 3.1 %".
[[nodiscard]] QString approximationCaption(const SimplexResult& result, std::size_t index);
/// All approximations, one row each; `shown` is marked.
[[nodiscard]] CompareTableValue approximationTable(const SimplexResult& result, std::size_t shown);

/// What centring, conditioning and normalising change, and where Proposition 1 holds, as lines.
[[nodiscard]] QString transformText(const SimplexResult& result);
[[nodiscard]] QString propositionText(const SimplexResult& result);

}  // namespace dubito
