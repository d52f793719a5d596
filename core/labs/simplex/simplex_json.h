// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/labs/simplex/sample_worth.h"
#include "core/labs/simplex/simplex_lab.h"

namespace dubito {

/// The numbers of a result, without images and samples; undefined ones are null.
[[nodiscard]] nlohmann::json simplexToJson(const SimplexResult& result);
/// Also the wall times, under "times", which are not reproducible.
[[nodiscard]] nlohmann::json sampleWorthToJson(const SampleWorthResult& result,
                                               const SampleWorthTimes& times);

}  // namespace dubito
