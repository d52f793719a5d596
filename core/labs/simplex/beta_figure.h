// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/plot_values.h"

namespace dubito {

/// A Beta distribution and its Laplace approximations in two bases (Hobbhahn 2020, figure 2.1). The
/// probability p has density Beta(a, b); y = ln(p / (1 - p)) is its logit.
struct BetaFigure {
  Curve beta;  ///< density against p
  /// Gaussian at the mode of the density over p, with the inverse curvature as variance; absent
  /// unless a > 1 and b > 1, because there is no interior maximum.
  std::optional<Curve> laplace;
  Curve beta_of_logit;  ///< density against y: p^a (1 - p)^b / B(a, b)
  /// Gaussian at the mode of the density over y: mean ln(a / b), variance 1/a + 1/b.
  Curve laplace_of_logit;
  /// The Gaussian over y as a density over p: the distribution that the bridge maps to Beta(a, b).
  Curve bridge;
};

/// `points` >= 2 at the centres of equal parts of [0, 1], and over the mean +- 5 standard
/// deviations of the logit. Throws std::invalid_argument for fewer points or a and b that are not
/// positive and finite.
[[nodiscard]] BetaFigure betaFigure(double a, double b, std::int64_t points);

}  // namespace dubito
