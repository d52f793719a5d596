// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

namespace dubito {

/// max_k |p_k - q_k| of two rows over the same K >= 1 classes: the error of a closed form against
/// the average over draws of the same Gaussian. Throws std::invalid_argument for other sizes.
[[nodiscard]] double largestDifference(std::span<const double> p, std::span<const double> q);

/// KL(q || r) in nats between two densities of probabilities of three classes: q, the logit-normal
/// density of softmax(z), z ~ N(mean, covariance), and r, the density of Dir(exp(log_alpha)); both
/// with respect to the same area, so it is 0 only if they are equal. With y = (z_1 - z_3, z_2 -
/// z_3) ~ N(m, C) and pi = softmax(z) it is E[log N(y; m, C)] + log B(alpha) - sum_k alpha_k E[log
/// pi_k]: in closed form except for E[log sum exp z], which the trapezoidal rule integrates over
/// 7.5 standard deviations of the whitened y, to about 1e-9 (to 1e-4 of the largest standard
/// deviation if that exceeds 10). Only the differences of logits matter in the covariance [3, 3],
/// row-major. Nothing if C is singular (relative to 1e-12 of its trace), a value is not finite, or
/// the alphas are so large (sum above 1e8) that the terms would cancel. Throws
/// std::invalid_argument for other sizes.
[[nodiscard]] std::optional<double> densityDivergence(std::span<const double> mean,
                                                      std::span<const double> covariance,
                                                      std::span<const double> log_alpha);

}  // namespace dubito
