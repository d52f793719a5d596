// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/nan.h"

namespace dubito {

/// A mean over repetitions, such as splits or games, with its standard error.
struct MeanWithError {
  double mean = 0.0;
  double standard_error = 0.0;  ///< NaN for a single repetition
};

/// Of at least one value.
[[nodiscard]] inline MeanWithError meanWithError(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1.0) / count) : kNaN};
}

}  // namespace dubito
