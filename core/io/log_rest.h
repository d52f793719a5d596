// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Where 1 - p says too little of a p stored as T: below it the other probabilities say more.
template <class T>
inline constexpr double kResolvedRest = std::is_same_v<T, float> ? 0x1p-14 : 0x1p-26;

/// Whether the run's probabilities are the softmax of its logits, to 1e-5 on up to 1 024 items that
/// are spread over it. Runs of draws may hold logits of something else.
[[nodiscard]] bool probsAreOfLogits(const Run& run);

/// [N], log(1 - confidence) of every item: what ranks by confidence. The run's own array if it has
/// one. Else log(1 - confidence) as stored, but where that is below kResolvedRest the logarithm of
/// what the item's logits (if probsAreOfLogits) or its other probabilities leave: items with the
/// same stored confidence stay tied elsewhere. Without a meaning if the context is cancelled.
[[nodiscard]] Array<double> logRestOf(const Run& run, const RunContext& context);

}  // namespace dubito
