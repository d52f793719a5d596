// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Approximate total of all timed batches, in seconds.
inline constexpr double kTimedSeconds = 1.0;

/// A duration in seconds with its plausible range under the machine's current load.
struct SecondsRange {
  double low = 0.0;
  double mean = 0.0;
  double high = 0.0;

  friend SecondsRange operator+(const SecondsRange& a, const SecondsRange& b) {
    return {a.low + b.low, a.mean + b.mean, a.high + b.high};
  }
};

/// Times in seconds of batches of one size.
struct BatchTimes {
  std::int64_t items = 1;       ///< items per batch
  double once = 0.0;            ///< setup before or within the first batch
  std::vector<double> batches;  ///< each batch after the first, or the first if it is the only one

  [[nodiscard]] double mean() const;
};

/// Separates one-off work from the times of consecutive batches of `items` items. `setup`: seconds
/// before the first batch; `seconds`: of each batch, at least one.
[[nodiscard]] BatchTimes separateStart(std::int64_t items, double setup,
                                       std::vector<double> seconds);

/// Times `count` batches of `items` items, or as many as there are.
using BatchTimer = std::function<Expected<BatchTimes>(std::int64_t items, std::int64_t count)>;

/// Seconds that `items` items take in batches of `largest`: times larger and larger batches, until
/// one takes long enough or has `largest` items, and extrapolates. Errors of `timer`.
[[nodiscard]] Expected<SecondsRange> timeBatches(const BatchTimer& timer, std::int64_t items,
                                                 std::int64_t largest);

}  // namespace dubito
