// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Classes beyond which there is no confusion matrix.
inline constexpr std::int64_t kMostConfusedClasses = 2000;

/// How many items of each true class are predicted as each class: counts [K, K], rows by true
/// class. Items without a label are left out. [0, 0] where the classes are not known, there are
/// more than kMostConfusedClasses of them, or no item is labelled. The caller drops the result
/// after a cancel.
[[nodiscard]] Array<std::int64_t> confusionMatrix(const Run& run, const RunContext& context);

}  // namespace dubito
