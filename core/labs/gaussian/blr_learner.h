// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/labs/gaussian/blr_method.h"

namespace dubito {

/// Starts Bayesian linear regression with checked options. kInvalidArgument if a feature is not
/// finite.
[[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> startBlr(
    const BlrOptions& options, const RegressionProblem& problem, std::uint64_t seed);

}  // namespace dubito
