// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/cpu/predictive_summary_cpu.h"

namespace dubito {

/// Device memory that summarising works in; its contents do not matter.
struct SummaryScratch {
  double* powers = nullptr;  ///< [N, K] exponentials of the draw at work
  double* first = nullptr;   ///< [N, K] probabilities of the first draw
  int* votes = nullptr;      ///< [N, K]
};

/// All items of a task of logits on `stream`; every pointer of it is a device pointer, also those
/// in `input` and `draw_probs`. Returns the error of the launch. An empty task launches
/// nothing.
[[nodiscard]] cudaError_t launchSummary(const SummaryTask& task, const SummaryScratch& scratch,
                                        cudaStream_t stream);

}  // namespace dubito
