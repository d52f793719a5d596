// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cuda/predictive_summary_cuda.h"

namespace dubito {

/// Launches the summary, but for what launchLogRest does, of items with more than kMaxTileClasses
/// classes, of which there is at least one.
void launchSummaryRows(const SummaryTask& task, const SummaryScratch& scratch, cudaStream_t stream);

}  // namespace dubito
