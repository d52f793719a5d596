// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/kernels/cuda/predictive_summary_cuda.h"
#include "core/kernels/cuda/team_cuda.h"

namespace dubito {
namespace {

constexpr int kThreads = 128;
constexpr std::int64_t kMaxBlocks = 1 << 16;
// Below it the exponentials of the other classes underflow; log_rest is summed in logarithms.
constexpr double kLowestLogRest = -640.0;

/// The largest of some values, and its class; ties: the lowest class.
struct Largest {
  double value;
  int index;
};

__device__ Largest largerOf(Largest a, Largest b) {
  const bool is_b = b.value > a.value || (b.value == a.value && b.index < a.index);
  return is_b ? b : a;
}

__device__ Largest teamLargest(Largest largest, int lanes) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    const Largest other{__shfl_xor_sync(kWholeWarp, largest.value, distance),
                        __shfl_xor_sync(kWholeWarp, largest.index, distance)};
    largest = largerOf(largest, other);
  }
  return largest;
}

__device__ double timesLog(double p) {
  return p > 0.0 ? p * log(p) : (p == 0.0 ? 0.0 : p);
}

/// log(a + b) of two logarithms.
__device__ double addLogs(double a, double b) {
  const double top = a > b ? a : b;
  const double low = a > b ? b : a;
  return top == -INFINITY ? top : top + log1p(exp(low - top));
}

/// A team of threads at work on one item; each thread has every `lanes`-th class, so that nobody
/// reads what another one writes. The formulas are those of TileSummariser in
/// core/kernels/cpu/predictive_summary_cpu.cpp.
class ItemTeam {
 public:
  __device__ ItemTeam(const SummaryTask& task, const SummaryScratch& scratch, std::int64_t item,
                      bool is_there, int lane, int lanes)
      : task_(task),
        classes_(is_there ? static_cast<int>(task.classes) : 0),
        item_(is_there ? item : 0),
        lane_(lane),
        lanes_(lanes),
        is_there_(is_there),
        mean_(task.mean_probs + item_ * task.classes),
        powers_(scratch.powers + item_ * task.classes),
        first_(scratch.first + item_ * task.classes),
        votes_(scratch.votes + item_ * task.classes) {}

  __device__ void run() {
    for (int k = lane_; k < classes_; k += lanes_) {
      mean_[k] = 0.0;
      votes_[k] = 0;
    }
    for (std::int64_t draw = 0; draw < task_.draws; ++draw) {
      takeDraw(draw);
    }
    finish();
  }

 private:
  __device__ const float* rowOf(std::int64_t draw) const {
    return task_.input[draw] + item_ * task_.classes;
  }

  __device__ void takeDraw(std::int64_t draw) {
    const float* const row = rowOf(draw);
    Largest top{-INFINITY, lane_};
    for (int k = lane_; k < classes_; k += lanes_) {
      top = largerOf(top, {row[k], k});
    }
    top = teamLargest(top, lanes_);
    // The largest class adds exactly 1 to the sum of exponentials; separate, the rest keeps its
    // digits.
    double rest = 0.0;
    double weighted = 0.0;
    for (int k = lane_; k < classes_; k += lanes_) {
      const double difference = row[k] - top.value;
      // A class masked by minus infinity has probability 0 and adds nothing to the entropy; what is
      // not finite otherwise becomes NaN.
      const double below_top = difference == -INFINITY ? -1e9 : difference;
      const double power = below_top > -708.0 ? exp(below_top) : 0.0;
      rest += k == top.index ? 0.0 : power;
      weighted += power * below_top;
      powers_[k] = power;
    }
    rest = teamSum(rest, lanes_);
    weighted = teamSum(weighted, lanes_);
    const double scale = 1.0 / (1.0 + rest);
    entropies_ += log1p(rest) - weighted * scale;
    for (int k = lane_; k < classes_; k += lanes_) {
      const double p = powers_[k] * scale;
      mean_[k] += p;
      if (draw == 0) {
        first_[k] = p;
      }
      // Deviations from the first draw: the sum of plain squares would cancel for confident items.
      const double deviation = p - first_[k];
      squares_ += deviation * deviation;
      votes_[k] += k == top.index ? 1 : 0;
      if (task_.draw_probs != nullptr) {
        task_.draw_probs[draw][item_ * task_.classes + k] = static_cast<float>(p);
      }
    }
  }

  __device__ void finish() {
    const auto draws = static_cast<double>(task_.draws);
    Largest top{-INFINITY, lane_};
    Largest votes{0.0, lane_};
    double squared_shift = 0.0;
    for (int k = lane_; k < classes_; k += lanes_) {
      mean_[k] /= draws;
      const double shift = mean_[k] - first_[k];
      squared_shift += shift * shift;
      top = largerOf(top, {mean_[k], k});
      votes = largerOf(votes, {static_cast<double>(votes_[k]), k});
    }
    top = teamLargest(top, lanes_);
    votes = teamLargest(votes, lanes_);
    const double variance =
        (teamSum(squares_, lanes_) - draws * teamSum(squared_shift, lanes_)) / draws;
    double rest = 0.0;
    double entropy = 0.0;
    for (int k = lane_; k < classes_; k += lanes_) {
      rest += k == top.index ? 0.0 : mean_[k];
      entropy -= k == top.index ? 0.0 : timesLog(mean_[k]);
    }
    rest = teamSum(rest, lanes_);
    // The probability of the largest class is 1 - rest, to more digits than its own sum has.
    entropy = teamSum(entropy, lanes_) - top.value * log1p(-rest);
    double log_rest = log(rest);
    // Other teams of the warp take part in the exchanges of one that has to do this.
    const bool underflows = is_there_ && log_rest < kLowestLogRest;
    if (teamMax(underflows ? 1.0F : 0.0F, 32) > 0.0F) {
      const double exact = logRestOfDraws(top.index);
      log_rest = underflows ? exact : log_rest;
    }
    if (is_there_ && lane_ == 0) {
      write(top, votes.value, variance, task_.draws == 1 ? entropies_ : entropy, log_rest);
    }
  }

  /// Mean over the draws of 1 - p of class `k`, as its logarithm.
  __device__ double logRestOfDraws(int k) const {
    double sum = -INFINITY;
    for (std::int64_t draw = 0; draw < task_.draws; ++draw) {
      const float* const row = rowOf(draw);
      Largest top{-INFINITY, lane_};
      for (int other = lane_; other < classes_; other += lanes_) {
        top = largerOf(top, {other == k ? -INFINITY : row[other], other});
      }
      top = teamLargest(top, lanes_);
      double others = 0.0;
      for (int other = lane_; other < classes_; other += lanes_) {
        others += other == k || top.value == -INFINITY ? 0.0 : exp(row[other] - top.value);
      }
      others = teamSum(others, lanes_);
      const double log_others = top.value + log(others);
      if (is_there_) {
        sum = addLogs(sum, log_others - addLogs(log_others, row[k]));
      }
    }
    return sum - log(static_cast<double>(task_.draws));
  }

  __device__ void write(Largest top, double votes, double variance, double entropy,
                        double log_rest) const {
    // Rounded sums would leave the range by their rounding. NaN stays.
    const double highest = log(static_cast<double>(task_.classes));
    const double expected = clamped(entropies_ / static_cast<double>(task_.draws), highest);
    const double of_mean = expected != expected ? expected : clamped(entropy, highest);
    task_.entropy[item_] = of_mean;
    task_.expected_entropy[item_] = expected;
    task_.mutual_information[item_] = of_mean < expected ? 0.0 : of_mean - expected;
    task_.variation_ratio[item_] = 1.0 - votes / static_cast<double>(task_.draws);
    task_.variance[item_] = task_.draws > 1 && !(variance < 0.0) ? variance : 0.0;
    task_.confidence[item_] = top.value;
    task_.log_rest[item_] = log_rest;
    task_.predictions[item_] = top.index;
  }

  __device__ static double clamped(double value, double highest) {
    return value < 0.0 ? 0.0 : (value > highest ? highest : value);
  }

  const SummaryTask& task_;
  int classes_;  ///< 0 beyond the last item: such a team only takes part in exchanges
  std::int64_t item_;
  int lane_;
  int lanes_;
  bool is_there_;
  double* mean_;
  double* powers_;
  double* first_;
  int* votes_;
  double entropies_ = 0.0;  ///< sum over the draws, the same in every thread
  double squares_ = 0.0;    ///< sum of (p - first)^2 of the thread's own classes
};

__global__ void summariseItems(SummaryTask task, SummaryScratch scratch, int lanes) {
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const std::int64_t items_per_block = blockDim.x / lanes;
  // As often in every team: its threads share warps with those of others.
  for (std::int64_t begin = blockIdx.x * items_per_block; begin < task.items;
       begin += gridDim.x * items_per_block) {
    const std::int64_t item = begin + threadIdx.x / lanes;
    ItemTeam(task, scratch, item, item < task.items, lane, lanes).run();
  }
}

}  // namespace

cudaError_t launchSummary(const SummaryTask& task, const SummaryScratch& scratch,
                          cudaStream_t stream) {
  if (task.items == 0) {
    return cudaSuccess;
  }
  int lanes = 1;
  while (lanes < 32 && lanes < task.classes) {
    lanes *= 2;
  }
  const std::int64_t items_per_block = kThreads / lanes;
  const auto blocks = static_cast<unsigned>(
      std::min(kMaxBlocks, (task.items + items_per_block - 1) / items_per_block));
  summariseItems<<<blocks, kThreads, 0, stream>>>(task, scratch, lanes);
  return cudaGetLastError();
}

}  // namespace dubito
