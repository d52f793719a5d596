// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <vector>

namespace dubito {

/// The probit approximation of E[softmax(z)], z ~ N(mean, Sigma): softmax(mean / sqrt(1 + pi/8
/// variance)) [K], where `variance` [K] is the diagonal of Sigma (theory, section 5). Throws
/// std::invalid_argument if there is no class or the sizes differ.
[[nodiscard]] std::vector<double> probit(std::span<const double> mean,
                                         std::span<const double> variance);

/// MacKay's approximation (1992) for two classes, [p_0, p_1]: the sigmoid of gap / sqrt(1 + pi/8
/// variance), with the mean and the variance of z_0 - z_1. The formula above knows no covariance of
/// the two logits, and their common part, which does not matter to the softmax, makes it uncertain.
[[nodiscard]] std::array<double, 2> probitOfTwoClasses(double gap, double variance);

}  // namespace dubito
