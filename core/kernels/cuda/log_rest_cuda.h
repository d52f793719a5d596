// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include "core/kernels/cpu/predictive_summary_cpu.h"

namespace dubito {

/// Recomputes log_rest in the log domain for those items whose other classes almost vanish; the
/// rest of `task` is complete. Returns the launch status.
[[nodiscard]] cudaError_t launchLogRest(const SummaryTask& task, cudaStream_t stream);

}  // namespace dubito
