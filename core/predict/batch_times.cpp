// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/batch_times.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace dubito {
namespace {

// A batch this long is timed accurately enough.
constexpr double kLongBatch = 0.15;
constexpr std::int64_t kMaxBatches = 16;
constexpr int kMaxRounds = 3;

/// Times of the largest batch that was timed, and of the one before it.
struct TimedSizes {
  BatchTimes smaller;
  BatchTimes largest;
};

/// Increases the batch until one takes long enough or has `largest` items.
Expected<TimedSizes> increaseBatch(const BatchTimer& timer, std::int64_t largest) {
  auto times = timer(1, 2);
  if (!times) {
    return failWith(times);
  }
  BatchTimes smaller = *times;
  // The first batches may be slow and later ones fast: the batch then grows again.
  for (int round = 0; round < kMaxRounds; ++round) {
    while (times->mean() < kLongBatch && times->items < largest) {
      smaller = *times;
      const double growth = std::clamp(kLongBatch / std::max(times->mean(), 1e-6), 2.0, 64.0);
      const auto next = static_cast<std::int64_t>(growth * static_cast<double>(times->items));
      times = timer(std::min(next, largest), 2);
      if (!times) {
        return failWith(times);
      }
    }
    const auto count = std::clamp<std::int64_t>(
        std::llround(kTimedSeconds / std::max(times->mean(), 1e-6)), 2, kMaxBatches);
    if (count > 2) {
      times = timer(times->items, 1 + count);
      if (!times) {
        return failWith(times);
      }
    }
    if (times->mean() >= 0.5 * kLongBatch || times->items == largest) {
      break;
    }
  }
  return TimedSizes{std::move(smaller), *std::move(times)};
}

}  // namespace

double BatchTimes::mean() const {
  return std::accumulate(batches.begin(), batches.end(), 0.0) / static_cast<double>(batches.size());
}

BatchTimes separateStart(std::int64_t items, double setup, std::vector<double> seconds) {
  BatchTimes times{items, setup, std::move(seconds)};
  if (times.batches.size() > 1) {
    const double first = times.batches.front();
    times.batches.erase(times.batches.begin());
    times.once += std::max(0.0, first - times.mean());
  }
  return times;
}

Expected<SecondsRange> timeBatches(const BatchTimer& timer, std::int64_t items,
                                   std::int64_t largest) {
  const auto timed = increaseBatch(timer, largest);
  if (!timed) {
    return failWith(timed);
  }
  const BatchTimes& times = timed->largest;
  const BatchTimes& smaller = timed->smaller;
  const auto size = static_cast<double>(times.items);
  const double rate = times.mean() / size;
  double mean = rate;
  if (times.items < largest && times.items > smaller.items) {
    // The fixed cost per batch matters less for larger batches; an item costs a fraction of the
    // rate.
    const double slope = std::clamp(
        (times.mean() - smaller.mean()) / static_cast<double>(times.items - smaller.items),
        0.3 * rate, rate);
    mean = slope + (times.mean() - slope * size) / static_cast<double>(largest);
  }
  // A run is a sum over batches: the two halves of the timed batches show its variation.
  std::vector<double> sorted = times.batches;
  std::ranges::sort(sorted);
  const std::size_t half = (sorted.size() + 1) / 2;
  const auto meanOf = [&](std::size_t begin, std::size_t end) {
    return std::accumulate(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                           sorted.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
           static_cast<double>(end - begin) / size;
  };
  const auto all = static_cast<double>(items);
  return SecondsRange{
      all * std::min(mean, meanOf(0, half)), times.once + all * mean,
      times.once + all * std::max(rate, meanOf(sorted.size() - half, sorted.size()))};
}

}  // namespace dubito
