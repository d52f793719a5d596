// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/labs/sampling/log_density.h"

namespace dubito {

/// A Gaussian over few parameters.
struct DenseGaussian {
  std::vector<double> mean;        ///< [D]
  std::vector<double> covariance;  ///< [D, D] row-major
};

/// Laplace's approximation: the Gaussian at the mode that Newton's method reaches from `start` [D],
/// with the inverse of -d^2 ln p/dq^2 there as covariance. The second derivatives are central
/// differences of gradients. kInvalidArgument, with a sentence for the user, if no mode is found.
[[nodiscard]] Expected<DenseGaussian> laplaceGaussian(const LogDensity& density,
                                                      std::span<const double> start);

}  // namespace dubito
