// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

namespace dubito {

/// max_k |p_k - q_k| for two rows over the same K >= 1 classes. Used as the error of a closed form
/// p against the average q over draws from the same Gaussian. Throws std::invalid_argument if the
/// rows are empty or differ in size.
[[nodiscard]] double largestDifference(std::span<const double> p, std::span<const double> q);

/// KL(q || r) in nats between two densities over the probabilities of three classes: q, the
/// logit-normal density of softmax(z), z ~ N(mean, covariance), and r, the density of
/// Dir(exp(log_alpha)). Both are densities with respect to the same area, so the divergence is 0
/// only if they are equal. With y = (z_1 - z_3, z_2 - z_3) ~ N(m, C) and pi = softmax(z), the
/// divergence is E[log N(y; m, C)] + log B(alpha) - sum_k alpha_k E[log pi_k]: in closed form
/// except for E[log sum exp z], which is integrated by the trapezoidal rule over 7.5 standard
/// deviations of the whitened y, to about 1e-9 (to 1e-4 of the largest standard deviation if that
/// exceeds 10). `covariance` is [3, 3], row-major; only the covariance C of the logit differences
/// matters. nullopt if C is singular (relative to 1e-12 of its trace), a value is not finite, or
/// the alphas are so large (sum above 1e8) that the terms would cancel. Throws
/// std::invalid_argument if a size is wrong.
[[nodiscard]] std::optional<double> densityDivergence(std::span<const double> mean,
                                                      std::span<const double> covariance,
                                                      std::span<const double> log_alpha);

}  // namespace dubito
