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
  std::vector<double> per_class;  ///< [K], ECE of p_k as the confidence in class k
  double mean = 0.0;              ///< over the classes, with equal weights
};

/// Computed with equal-width bins of the probability of each class over all items, however small
/// the probability. `probs` is [N, K]; items with a negative label are left out. NaN if no item is
/// left. Throws std::invalid_argument for mismatched shapes, labels >= K, or bins < 1. The result
/// is incomplete if the context is cancelled.
[[nodiscard]] ClasswiseCalibration classwiseCalibration(const Array<float>& probs,
                                                        std::span<const std::int64_t> labels,
                                                        std::int64_t bins,
                                                        const RunContext& context);
[[nodiscard]] ClasswiseCalibration classwiseCalibration(const Array<double>& probs,
                                                        std::span<const std::int64_t> labels,
                                                        std::int64_t bins,
                                                        const RunContext& context);

}  // namespace dubito
