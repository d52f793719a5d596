// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Class-wise expected calibration error.
struct ClasswiseCalibration {
  std::vector<double> per_class;  ///< [K], ECE of p_k against [label = k]
  double mean = 0.0;              ///< over the classes, equally weighted
};

/// Equal-width bins of the probability of every class, over all items, without a threshold. `probs`
/// [N, K]; items with a negative label are left out. NaN if none is left. Throws
/// std::invalid_argument for mismatched shapes, labels >= K, or bins < 1. The result is incomplete
/// if the context is cancelled.
[[nodiscard]] ClasswiseCalibration classwiseCalibration(const Array<float>& probs,
                                                        std::span<const std::int64_t> labels,
                                                        std::int64_t bins,
                                                        const RunContext& context);
[[nodiscard]] ClasswiseCalibration classwiseCalibration(const Array<double>& probs,
                                                        std::span<const std::int64_t> labels,
                                                        std::int64_t bins,
                                                        const RunContext& context);

}  // namespace dubito
