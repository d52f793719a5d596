// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// If a probability p is stored as T and 1 - p is below this value, the sum of the other
/// probabilities is more accurate than 1 - p.
template <class T>
inline constexpr double kResolvedRest = std::is_same_v<T, float> ? 0x1p-14 : 0x1p-26;

/// Whether the run's probabilities are the softmax of its logits, to 1e-5 on up to 1 024 evenly
/// spaced items. In runs with draws, for example, the logits may differ from the logarithms of the
/// mean probabilities.
[[nodiscard]] bool probsAreOfLogits(const Run& run);

/// [N] log(1 - confidence), which orders items by confidence: the run's own array if it has one,
/// else computed from its logits if probsAreOfLogits, else from the stored confidence. If 1 -
/// confidence is then below kResolvedRest, the other probabilities are used; elsewhere, items with
/// the same stored confidence stay tied. Undefined if the context is cancelled.
[[nodiscard]] Array<double> logRestOf(const Run& run, const RunContext& context);

}  // namespace dubito
