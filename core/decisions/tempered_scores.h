// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"

namespace dubito {

/// The metrics of softmax(beta z) over all rows z of `table`, for each inverse temperature beta >
/// 0. Runs on the context's threads; the result does not depend on their number or on the order of
/// the classes. Incomplete if the context is cancelled.
[[nodiscard]] std::vector<CalibrationScores> temperedScores(
    const LogitTable& table, std::span<const double> inverse_temperatures,
    const RunContext& context);

}  // namespace dubito
