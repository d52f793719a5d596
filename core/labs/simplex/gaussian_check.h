// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// Largest number of logits of a Gaussian in these laboratories.
inline constexpr std::int64_t kMaxLogits = 1000;
/// Largest absolute value of a mean and largest element of a covariance.
inline constexpr double kMaxLogitMoment = 1e6;

/// A Gaussian over logits that can be computed with.
struct CheckedGaussian {
  LogitGaussian gaussian;            ///< symmetric and positive semi-definite
  double smallest_eigenvalue = 0.0;  ///< of the covariance as given
  double jitter = 0.0;  ///< added to the diagonal to make the covariance positive definite
  std::vector<std::string> warnings = {};  ///< sentences for the user
};

/// Checks a Gaussian over 2 to kMaxLogits logits. A covariance with an eigenvalue below -1e-9 of
/// the largest gets a multiple of the identity added, and a warning, so that a person who edits a
/// matrix always sees a picture. kInvalidArgument if the sizes do not match, a number is not finite
/// or above kMaxLogitMoment, the covariance is not symmetric (to 1e-9), or it has no positive
/// eigenvalue although it is not 0.
[[nodiscard]] Expected<CheckedGaussian> checkGaussian(const LogitGaussian& gaussian);

}  // namespace dubito
