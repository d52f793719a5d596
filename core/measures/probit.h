// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace dubito {

/// The probit approximation of E[softmax(z)], z ~ N(mean, Sigma): softmax(mean / sqrt(1 + pi/8
/// variance)) [K], where `variance` [K] is the diagonal of Sigma (theory, section 5). Throws
/// std::invalid_argument if there is no class or the sizes differ.
[[nodiscard]] std::vector<double> probit(std::span<const double> mean,
                                         std::span<const double> variance);

}  // namespace dubito
