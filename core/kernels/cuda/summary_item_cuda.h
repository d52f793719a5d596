// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "core/kernels/cpu/predictive_summary_cpu.h"
#include "core/kernels/cuda/exp_cuda.h"
#include "core/kernels/cuda/team_cuda.h"

namespace dubito {

/// Every 16th draw of each of `slices`, a power of two.
__device__ inline bool closesProduct(int draw, int slices) {
  return (draw & (16 * slices - 1)) >= 15 * slices;
}

/// p log p, 0 for p = 0; without a branch, so that the logarithms of several classes overlap.
__device__ inline double timesLog(double p) {
  return p * log(p > 0.0 ? p : 1.0);
}

/// What one thread knows of an item while draws are added, and of its results. The formulas are
/// those of TileSummariser in core/kernels/cpu/predictive_summary_cpu.cpp.
///
/// `Classes` has the values of the thread's own classes, for each of which forEach(body) calls
/// body(c); classOf(c) is its number in the item, and slotOf the reverse. A class that the item
/// does not have must have the logit minus infinity. `Exchange` combines values of all threads of
/// the item.
template <class Classes, class Exchange>
class ItemSummariser {
 public:
  __device__ ItemSummariser(Classes& classes, Exchange& exchange)
      : classes_(classes), exchange_(exchange) {}

  /// Computes the exponentials of a draw, and adds its entropy.
  __device__ void takeDraw() {
    float highest = -INFINITY;
    int highest_slot = classes_.slotOf(classes_.lane());
    classes_.forEach([&](int c) {
      const bool is_higher = classes_.logit(c) > highest;
      highest = is_higher ? classes_.logit(c) : highest;
      highest_slot = is_higher ? c : highest_slot;
    });
    const Largest<float> top =
        exchange_.largest(Largest<float>{highest, classes_.classOf(highest_slot)});
    top_slot_ = classes_.slotOf(top.index);
    // The largest class adds exactly 1 to the sum of exponentials; separate, the rest keeps its
    // digits.
    double rest = 0.0;
    double weighted = 0.0;
    classes_.forEach([&](int c) {
      const float logit = classes_.logit(c);
      // Rounded, it says as well as the exact difference what is masked or vanishes, at no cost.
      const float rounded = logit - top.value;
      // A class masked by minus infinity has probability 0 and adds nothing to the entropy; what is
      // not finite otherwise becomes NaN.
      const double below_top = static_cast<double>(rounded == -INFINITY ? top.value : logit) -
                               static_cast<double>(top.value);
      const double power = expOfNonPositive(below_top, !(rounded > -708.0F));
      if (c != top_slot_) {
        rest += power;
      }
      weighted = fma(power, below_top, weighted);
      classes_.power(c) = power;
    });
    exchange_.sum(rest, weighted);
    scale_ = 1.0 / (1.0 + rest);
    product_ += fma(product_, rest, rest);
    entropies_ -= weighted * scale_;
  }

  __device__ double probOf(int c) const { return classes_.power(c) * scale_; }

  /// Deviations are relative to the first draw: the sum of plain squares would cancel for confident
  /// items.
  __device__ void setFirst() {
    classes_.forEach([&](int c) { classes_.first(c) = probOf(c); });
  }

  /// Adds the probabilities of the draw taken last.
  __device__ void addProbs() {
    classes_.forEach([&](int c) {
      const double p = probOf(c);
      const double deviation = p - classes_.first(c);
      classes_.mean(c) += p;
      squares_ = fma(deviation, deviation, squares_);
    });
    classes_.vote(top_slot_);
  }

  /// Must follow every 16 draws, and the last: up to K^16, the product neither overflows nor loses
  /// precision.
  __device__ void closeProduct() {
    entropies_ += log1p(product_);
    product_ = 0.0;
  }

  __device__ double& entropies() { return entropies_; }
  __device__ double& squares() { return squares_; }

  /// Turns the sums into means, and writes all results but mean_probs. The sums must be closed.
  __device__ void finish(const SummaryTask& task, std::int64_t item, bool is_there) {
    const auto draws = static_cast<double>(task.draws);
    const double inverse = 1.0 / draws;
    const int classes = static_cast<int>(task.classes);
    Largest<double> top{-INFINITY, classes_.lane()};
    Largest<double> votes{0.0, classes_.lane()};
    double squared_shift = 0.0;
    classes_.forEach([&](int c) {
      // Corrected once, the product is the quotient, which takes several times as long.
      const double near = classes_.mean(c) * inverse;
      const double mean = fma(fma(-near, draws, classes_.mean(c)), inverse, near);
      const double shift = mean - classes_.first(c);
      squared_shift = fma(shift, shift, squared_shift);
      classes_.mean(c) = mean;
      const int k = classes_.classOf(c);
      if (k < classes) {
        top = largerOf(top, Largest<double>{mean, k});
      }
      votes = largerOf(votes, Largest<double>{static_cast<double>(classes_.votes(c)), k});
    });
    top = exchange_.largest(top);
    votes = exchange_.largest(votes);
    exchange_.sum(squares_, squared_shift);
    const double variance = (squares_ - draws * squared_shift) / draws;
    double rest = 0.0;
    double entropy = 0.0;
    const int top_slot = classes_.slotOf(top.index);
    classes_.forEach([&](int c) {
      rest += c == top_slot ? 0.0 : classes_.mean(c);
      entropy -= c == top_slot ? 0.0 : timesLog(classes_.mean(c));
    });
    exchange_.sum(rest, entropy);
    if (!is_there || classes_.lane() != 0) {
      return;
    }
    // The probability of the largest class is 1 - rest, to more digits than its own sum has.
    entropy -= top.value * log1p(-rest);
    // Rounded sums would leave the range by their rounding. NaN stays.
    const double highest = log(static_cast<double>(classes));
    const double expected = clamped(entropies_ / draws, highest);
    const double of_mean =
        expected != expected ? expected : clamped(task.draws == 1 ? entropies_ : entropy, highest);
    task.entropy[item] = of_mean;
    task.expected_entropy[item] = expected;
    task.mutual_information[item] = of_mean < expected ? 0.0 : of_mean - expected;
    task.variation_ratio[item] = 1.0 - votes.value / draws;
    task.variance[item] = task.draws > 1 && !(variance < 0.0) ? variance : 0.0;
    task.confidence[item] = top.value;
    task.log_rest[item] = log(rest);
    task.predictions[item] = top.index;
  }

 private:
  __device__ static double clamped(double value, double highest) {
    return value < 0.0 ? 0.0 : (value > highest ? highest : value);
  }

  Classes& classes_;
  Exchange& exchange_;
  int top_slot_ = -1;       ///< slot of the largest class of the draw taken last, if it has one
  double scale_ = 0.0;      ///< the same
  double entropies_ = 0.0;  ///< sum over the draws, the same in every thread of the item
  double product_ = 0.0;    ///< product of 1 + rest over the draws since it was closed, minus 1
  double squares_ = 0.0;    ///< sum of (p - first)^2 of the thread's own classes
};

}  // namespace dubito
