// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Maximum number of classes of a confusion matrix.
inline constexpr std::int64_t kMaxMatrixClasses = 2000;

/// The confusion matrix: counts [K, K], rows by true class, columns by predicted class. Items
/// without a label are left out. [0, 0] if the number of classes is unknown, there are more than
/// kMaxMatrixClasses, or no item is labelled. The result is invalid after a cancel.
[[nodiscard]] Array<std::int64_t> confusionMatrix(const Run& run, const RunContext& context);

}  // namespace dubito
