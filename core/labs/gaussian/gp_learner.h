// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/labs/gaussian/gp_method.h"

namespace dubito {

/// Starts Gaussian process regression with checked options. kInvalidArgument for more than
/// kMaxGpPoints points.
[[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> startGp(const GpOptions& options,
                                                                   const RegressionProblem& problem,
                                                                   std::uint64_t seed);

}  // namespace dubito
