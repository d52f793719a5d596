// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/predictive_summary_cpu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/cpu/predictive_summary_cpu.cpp"
// Vectors of unknown size cannot be stored in the arrays below.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two includes above, which set up the instruction set.
#include <hwy/contrib/math/math-inl.h>

#include "core/kernels/cpu/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Summarises one tile. Scratch arrays are [K][kTile]: a vector holds one class of several items,
/// so that sums over classes need no shuffles for any K. Draws are processed in pairs: the
/// dependency chains of a single draw leave the CPU idle, and the sums are read and written half as
/// often.
template <std::size_t kTile>
class TileSummariser {
 public:
  TileSummariser(const SummaryTask& task, std::int64_t begin, std::int64_t count, double* scratch)
      : task_(task),
        begin_(begin),
        count_(static_cast<std::size_t>(count)),
        classes_(static_cast<std::size_t>(task.classes)),
        size_(classes_ * kTile),
        power_(scratch),
        sum_(power_ + 2 * size_),
        first_(sum_ + size_),
        votes_(first_ + size_),
        entropies_(votes_ + size_),
        product_(entropies_ + kTile),
        squares_(product_ + kTile),
        winner_(squares_ + kTile),
        row_(reinterpret_cast<float*>(winner_ + kTile)),
        row_winner_(row_ + 2 * size_) {}

  void run() {
    std::fill(sum_, winner_ + kTile, 0.0);
    std::fill(row_, row_winner_ + 4 * kTile, 0.0F);
    std::int64_t draw = 0;
    for (; draw + 2 <= task_.draws; draw += 2) {
      processDraws<2>(draw);
      // Up to K^16, the product neither overflows nor loses precision.
      if (draw % 16 == 14) {
        closeProduct();
      }
    }
    if (draw < task_.draws) {
      processDraws<1>(draw);
    }
    closeProduct();
    for (std::size_t lane = 0; lane < kTile; lane += hn::Lanes(D())) {
      finish(lane);
    }
    writeResults();
  }

 private:
  using D = hn::CappedTag<double, kTile>;
  using V = hn::Vec<D>;

  /// Offset of the tile's first item in a draw.
  [[nodiscard]] std::size_t offset() const {
    return static_cast<std::size_t>(begin_ * task_.classes);
  }

  /// Adds draws [draw, draw + kDraws).
  template <std::size_t kDraws>
  void processDraws(std::int64_t draw) {
    for (std::size_t j = 0; j < kDraws; ++j) {
      transposeIn<kTile>(task_.input[draw + static_cast<std::int64_t>(j)] + offset(), count_,
                         classes_, row_ + j * size_);
      findLargestOfRow(row_ + j * size_, row_winner_ + 2 * j * kTile);
    }
    for (std::size_t lane = 0; lane < kTile; lane += hn::Lanes(D())) {
      if (task_.input_is_logits) {
        processLogits<kDraws>(lane, draw == 0);
      } else {
        processProbs<kDraws>(lane, draw == 0);
      }
    }
    for (std::size_t j = 0; j < kDraws; ++j) {
      for (std::size_t item = 0; item < count_; ++item) {
        const float winner = row_winner_[2 * j * kTile + item];
        votes_[static_cast<std::size_t>(winner) * kTile + item] += 1.0;
      }
      if (task_.draw_probs != nullptr) {
        transposeOut<kTile>(row_ + j * size_, count_, classes_,
                            task_.draw_probs[draw + static_cast<std::int64_t>(j)] + offset());
      }
    }
  }

  static V load(const double* from) { return hn::Load(D(), from); }
  static V load(const float* from) {
    return hn::PromoteTo(D(), hn::Load(hn::Rebind<float, D>(), from));
  }
  static void store(V value, double* to) { hn::Store(value, D(), to); }
  static V set(double value) { return hn::Set(D(), value); }

  /// Value and class of the largest entry of [K][kTile]; ties go to the lowest class.
  template <class Tag, class T>
  void findLargest(Tag d, const T* column, T* top, T* winner) const {
    const auto one = hn::Set(d, T{1});
    auto largest = hn::Load(d, column);
    auto index_of_largest = hn::Zero(d);
    auto index = one;
    for (std::size_t k = 1; k < classes_; ++k) {
      const auto value = hn::Load(d, column + k * kTile);
      index_of_largest = hn::IfThenElse(hn::Gt(value, largest), index, index_of_largest);
      largest = hn::Max(largest, value);
      index = hn::Add(index, one);
    }
    hn::Store(largest, d, top);
    hn::Store(index_of_largest, d, winner);
  }

  void findLargestOfRow(const float* row, float* winner) const {
    const hn::CappedTag<float, kTile> d;
    for (std::size_t lane = 0; lane < kTile; lane += hn::Lanes(d)) {
      findLargest(d, row + lane, winner + kTile + lane, winner + lane);
    }
  }

  /// Computes exponentials relative to the largest logit and adds entropies and probabilities to
  /// the sums over draws.
  template <std::size_t kDraws>
  void processLogits(std::size_t lane, bool is_first) {
    const V one = set(1.0);
    const V zero = hn::Zero(D());
    V top[kDraws];
    V winner[kDraws];
    // The largest class adds exactly 1 to the sum of exponentials. Summed separately, the rest
    // keeps its precision, and the two parts of the entropy, both positive, do not cancel.
    V rest[kDraws];
    V weighted[kDraws];
    for (std::size_t j = 0; j < kDraws; ++j) {
      winner[j] = load(row_winner_ + 2 * j * kTile + lane);
      top[j] = load(row_winner_ + (2 * j + 1) * kTile + lane);
      rest[j] = weighted[j] = zero;
    }
    V index = zero;
    for (std::size_t at = lane; at < size_; at += kTile) {
      for (std::size_t j = 0; j < kDraws; ++j) {
        const V difference = hn::Sub(load(row_ + j * size_ + at), top[j]);
        // Below the range of the exponential, as if masked by minus infinity, a class has
        // probability 0 and adds nothing to the entropy. NaN is not below and stays NaN.
        const auto is_masked = hn::Le(difference, set(-708.0));
        const V below_top = hn::IfThenZeroElse(is_masked, difference);
        const V power = hn::IfThenZeroElse(is_masked, expInRange(D(), below_top));
        rest[j] = hn::Add(rest[j], hn::IfThenZeroElse(hn::Eq(winner[j], index), power));
        weighted[j] = hn::MulAdd(power, below_top, weighted[j]);
        store(power, power_ + j * size_ + at);
      }
      index = hn::Add(index, one);
    }
    V scale[kDraws];
    for (std::size_t j = 0; j < kDraws; ++j) {
      scale[j] = hn::Div(one, hn::Add(one, rest[j]));
      addEntropy(lane, rest[j], hn::Mul(weighted[j], scale[j]));
    }
    addDraws<kDraws>(power_, lane, is_first, scale);
  }

  template <std::size_t kDraws>
  void processProbs(std::size_t lane, bool is_first) {
    V scale[kDraws];
    for (std::size_t j = 0; j < kDraws; ++j) {
      V sum = hn::Zero(D());
      for (std::size_t at = lane; at < size_; at += kTile) {
        sum = hn::Add(sum, timesLog(load(row_ + j * size_ + at)));
      }
      addEntropy(lane, hn::Zero(D()), sum);
      scale[j] = set(1.0);
    }
    addDraws<kDraws>(row_, lane, is_first, scale);
  }

  /// p log p, 0 for p = 0.
  static V timesLog(V p) {
    constexpr double kSmallest = 0x1p-1022;
    return hn::Mul(p, hn::Log(D(), hn::Max(p, set(kSmallest))));
  }

  /// Adds log(1 + rest) - log_prob to the entropies; the logarithm is taken of products, stored
  /// minus 1.
  void addEntropy(std::size_t lane, V rest, V log_prob) {
    const V product = load(product_ + lane);
    store(hn::Add(product, hn::MulAdd(product, rest, rest)), product_ + lane);
    store(hn::Sub(load(entropies_ + lane), log_prob), entropies_ + lane);
  }

  void closeProduct() {
    for (std::size_t lane = 0; lane < kTile; lane += hn::Lanes(D())) {
      const V logarithm = hn::Log1p(D(), load(product_ + lane));
      store(hn::Add(load(entropies_ + lane), logarithm), entropies_ + lane);
      store(hn::Zero(D()), product_ + lane);
    }
  }

  /// Adds probabilities, `values` times `scale`, to the sums. Deviations are relative to the first
  /// draw: the sum of plain squares would cancel for confident items.
  template <std::size_t kDraws, class T>
  void addDraws(const T* values, std::size_t lane, bool is_first, const V* scale) {
    if (task_.draws == 1) {
      addProbs<kDraws>(values, lane, scale);
      return;
    }
    V squares = load(squares_ + lane);
    for (std::size_t at = lane; at < size_; at += kTile) {
      if (is_first) {
        store(hn::Mul(load(values + at), scale[0]), first_ + at);
      }
      const V first = load(first_ + at);
      V sum = load(sum_ + at);
      for (std::size_t j = 0; j < kDraws; ++j) {
        const V p = hn::Mul(load(values + j * size_ + at), scale[j]);
        const V deviation = hn::Sub(p, first);
        sum = hn::Add(sum, p);
        squares = hn::MulAdd(deviation, deviation, squares);
        storeProb(p, j, at);
      }
      store(sum, sum_ + at);
    }
    store(squares, squares_ + lane);
  }

  /// The same for a single draw, which has no variance.
  template <std::size_t kDraws, class T>
  void addProbs(const T* values, std::size_t lane, const V* scale) {
    for (std::size_t at = lane; at < size_; at += kTile) {
      V sum = load(sum_ + at);
      for (std::size_t j = 0; j < kDraws; ++j) {
        const V p = hn::Mul(load(values + j * size_ + at), scale[j]);
        sum = hn::Add(sum, p);
        storeProb(p, j, at);
      }
      store(sum, sum_ + at);
    }
  }

  void storeProb(V p, std::size_t j, std::size_t at) {
    if (task_.draw_probs != nullptr) {
      const hn::Rebind<float, D> df;
      hn::Store(hn::DemoteTo(df, p), df, row_ + j * size_ + at);
    }
  }

  /// Turns sums into results: sum_ becomes the mean, squares_ the sum of the variances, product_
  /// the entropy of the mean, entropies_ the expected entropy, power_[0] the confidence, first_[0]
  /// the remaining probability, votes_[0] the most votes.
  void finish(std::size_t lane) {
    const V draws = set(static_cast<double>(task_.draws));
    V votes = hn::Zero(D());
    V squared_shift = votes;
    for (std::size_t at = lane; at < size_; at += kTile) {
      const V mean = hn::Div(load(sum_ + at), draws);
      const V shift = hn::Sub(mean, load(first_ + at));
      squared_shift = hn::MulAdd(shift, shift, squared_shift);
      store(mean, sum_ + at);
      votes = hn::Max(votes, load(votes_ + at));
    }
    // Of a single draw nothing was added to the squares.
    const V mean_square = hn::Div(load(squares_ + lane), draws);
    store(hn::Max(hn::Zero(D()), hn::Sub(mean_square, squared_shift)), squares_ + lane);
    store(votes, votes_ + lane);
    findLargest(D(), sum_ + lane, power_ + lane, winner_ + lane);
    const V winner = load(winner_ + lane);
    const V top = load(power_ + lane);
    V rest = hn::Zero(D());
    V entropy = rest;
    V index = rest;
    for (std::size_t at = lane; at < size_; at += kTile) {
      const V p = load(sum_ + at);
      const auto is_winner = hn::Eq(winner, index);
      rest = hn::Add(rest, hn::IfThenZeroElse(is_winner, p));
      entropy = hn::Sub(entropy, hn::IfThenZeroElse(is_winner, timesLog(p)));
      index = hn::Add(index, set(1.0));
    }
    // The softmax of the largest class is 1 - rest, more precise than its own sum.
    const V of_winner =
        task_.input_is_logits ? hn::Mul(top, hn::Log1p(D(), hn::Neg(rest))) : timesLog(top);
    const V expected = hn::Div(load(entropies_ + lane), draws);
    store(task_.draws == 1 ? expected : hn::Sub(entropy, of_winner), product_ + lane);
    store(expected, entropies_ + lane);
    store(rest, first_ + lane);
  }

  void writeResults() const {
    const double max_entropy = std::log(static_cast<double>(task_.classes));
    const auto draws = static_cast<double>(task_.draws);
    for (std::size_t item = 0; item < count_; ++item) {
      const std::size_t to = static_cast<std::size_t>(begin_) + item;
      // Rounding could leave the range. NaN stays NaN.
      const double expected = std::clamp(entropies_[item], 0.0, max_entropy);
      const double entropy =
          std::isnan(expected) ? expected : std::clamp(product_[item], 0.0, max_entropy);
      task_.entropy[to] = entropy;
      task_.expected_entropy[to] = expected;
      task_.mutual_information[to] = entropy < expected ? 0.0 : entropy - expected;
      task_.variation_ratio[to] = 1.0 - votes_[item] / draws;
      task_.variance[to] = squares_[item];
      task_.confidence[to] = power_[item];
      task_.log_rest[to] = std::log(first_[item]);
      task_.predictions[to] = static_cast<std::int64_t>(winner_[item]);
      for (std::size_t k = 0; k < classes_; ++k) {
        task_.mean_probs[to * classes_ + k] = sum_[k * kTile + item];
      }
    }
  }

  const SummaryTask& task_;
  std::int64_t begin_;
  std::size_t count_;
  std::size_t classes_;
  std::size_t size_;
  double* power_;  ///< [2][K][kTile] exponentials of the current draws
  // [K][kTile]
  double* sum_;    ///< sum of p over draws
  double* first_;  ///< p of the first draw
  double* votes_;
  // [kTile]
  double* entropies_;  ///< sum of the entropies of the draws
  double* product_;    ///< product of 1 + rest over draws, minus 1
  double* squares_;    ///< sum of (p - first)^2 over draws and classes
  double* winner_;
  float* row_;         ///< [2][K][kTile] the current draws; later their probabilities
  float* row_winner_;  ///< [2][2][kTile] class and value of their largest entries
};

void summariseTile(const SummaryTask& task, std::int64_t begin, std::int64_t count,
                   double* scratch) {
  // As few items at once as the vectors and the transposition allow. Of many classes, more items
  // than these do not fit into the cache of a core.
  constexpr std::int64_t kNarrow = std::max<std::int64_t>(
      4, static_cast<std::int64_t>(hn::MaxLanes(hn::CappedTag<double, kSummaryTile>())));
  constexpr std::int64_t kManyClasses = 128;
  if (task.classes < kManyClasses) {
    TileSummariser<kSummaryTile>(task, begin, count, scratch).run();
    return;
  }
  for (std::int64_t done = 0; done < count; done += kNarrow) {
    TileSummariser<kNarrow>(task, begin + done, std::min(kNarrow, count - done), scratch).run();
  }
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace dubito {

HWY_EXPORT(summariseTile);

std::int64_t summaryScratchSize(std::int64_t classes) {
  return kSummaryTile * (6 * classes + 6);
}

void summariseTileCpu(const SummaryTask& task, std::int64_t begin, std::int64_t count,
                      double* scratch) {
  HWY_DYNAMIC_DISPATCH(summariseTile)(task, begin, count, scratch);
}

}  // namespace dubito

#endif

#endif  // DUBITO_HAS_HIGHWAY
