// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// softmax(mu / sqrt(1 + pi/8 diag Sigma)) [K]: the probit approximation of E[softmax(z)], z ~
/// N(mean, Sigma) (theory, section 5), which uses only the variances [K]. Throws
/// std::invalid_argument if there is no class or the sizes differ.
[[nodiscard]] std::vector<double> probit(std::span<const double> mean,
                                         std::span<const double> variance);

}  // namespace dubito
