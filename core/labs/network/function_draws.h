// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Values of drawn functions, with one entry per draw along the first axis of `shape`:
/// `draw(t, values)` fills entry t, on the context's threads, `draws_per_part` at a time.
/// kCancelled if cancelled.
[[nodiscard]] Expected<Array<double>> drawFunctions(
    std::vector<std::int64_t> shape, std::int64_t draws_per_part, const RunContext& context,
    const std::function<void(std::int64_t draw, std::span<double> values)>& draw);

}  // namespace dubito
