// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/cpu/predictive_summary_cpu.h"

namespace dubito {

/// Scratch memory of launchSummary on the device, which it reads and writes only if
/// needsSummaryScratch; it need not be initialised.
struct SummaryScratch {
  double* powers = nullptr;  ///< [N, K] exponentials of the current draw
  double* first = nullptr;   ///< [N, K] probabilities of the first draw
  int* votes = nullptr;      ///< [N, K]
};

/// Whether an item with `classes` classes is too large for registers.
[[nodiscard]] bool needsSummaryScratch(std::int64_t classes);

/// Launches the summary of all items of `task`, whose inputs must be logits, on `stream` and
/// returns the launch status. All pointers in `task` are device pointers, including those in the
/// arrays `input` and `draw_probs`. Does nothing for an empty task.
[[nodiscard]] cudaError_t launchSummary(const SummaryTask& task, const SummaryScratch& scratch,
                                        cudaStream_t stream);

}  // namespace dubito
