// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Maximum number of classes of a confusion matrix.
inline constexpr std::int64_t kMostConfusedClasses = 2000;

/// Confusion matrix: counts [K, K], rows by true class, columns by prediction. Items without a
/// label are left out. [0, 0] if the classes are unknown, there are more than kMostConfusedClasses,
/// or no item is labelled. The result is invalid after a cancel.
[[nodiscard]] Array<std::int64_t> confusionMatrix(const Run& run, const RunContext& context);

}  // namespace dubito
