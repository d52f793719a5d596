// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/context/scene_model.h"

namespace dubito {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
/// Below it, a row of factors is divided by its largest.
constexpr double kSmallFactor = 0x1p-300;

/// Walks through all labellings in the order of a counter whose last digit, the last object, runs
/// over all classes at once. Objects before the last are scored by logarithms, the last one by
/// products, so that only one exponential is needed for K labellings.
class Enumerator {
 public:
  explicit Enumerator(const SceneModel& model)
      : model_(model),
        objects_(model.log_probs.extent(0)),
        classes_(model.log_probs.extent(1)),
        linked_(static_cast<std::size_t>(objects_ * objects_)),
        labelling_(static_cast<std::size_t>(objects_)),
        sums_(Array<double>::zeros({objects_, classes_})) {
    for (const auto& [i, j] : model.pairs) {
      linked_[static_cast<std::size_t>(i * objects_ + j)] = 1;
    }
    for (std::int64_t depth = 0; depth < objects_; ++depth) {
      fields_.push_back(Array<double>::zeros({objects_, classes_}));
    }
  }

  SceneEnumeration run() {
    std::ranges::copy(model_.log_probs.values(), fields_.front().mutableData());
    // The last object: relative to its largest log probability.
    const std::span<double> last = fields_.front().mutableRow(objects_ - 1);
    const double largest = std::ranges::max(last);
    for (double& value : last) {
      value = std::exp(value - largest);
    }
    descend(0, largest);

    SceneEnumeration result;
    result.log_probs = std::move(sums_);
    double total = 0.0;
    for (const double sum : result.log_probs.row(objects_ - 1)) {
      total += sum;
    }
    for (double& value : result.log_probs.mutableValues()) {
      value = std::log(value) - std::log(total);
    }
    result.log_partition =
        top_ + std::log(total) + model_.factors.shift() * static_cast<double>(model_.pairs.size());
    result.most_likely = std::move(most_likely_);
    return result;
  }

 private:
  [[nodiscard]] bool areLinked(std::int64_t i, std::int64_t j) const {
    return linked_[static_cast<std::size_t>(i * objects_ + j)] != 0;
  }

  /// Chooses the class of object `depth`; `score` is the log score of the objects before it.
  void descend(std::int64_t depth, double score) {
    if (depth == objects_ - 1) {
      addLast(score);
      return;
    }
    const auto level = static_cast<std::size_t>(depth);
    for (std::int64_t k = 0; k < classes_; ++k) {
      const double with = score + fields_[level].row(depth)[static_cast<std::size_t>(k)];
      if (with == kMinusInfinity) {
        continue;
      }
      labelling_[level] = k;
      descend(depth + 1, with + restrict(depth, k));
    }
  }

  /// Scores of the objects after `depth` if it is of class `k`; returns what was divided out of the
  /// row of the last object.
  double restrict(std::int64_t depth, std::int64_t k) {
    const Array<double>& from = fields_[static_cast<std::size_t>(depth)];
    Array<double>& to = fields_[static_cast<std::size_t>(depth) + 1];
    const std::span<const double> logs = model_.factors.logRow(k);
    for (std::int64_t j = depth + 1; j < objects_ - 1; ++j) {
      const std::span<const double> before = from.row(j);
      const std::span<double> after = to.mutableRow(j);
      if (areLinked(depth, j)) {
        for (std::size_t c = 0; c < after.size(); ++c) {
          after[c] = before[c] + logs[c];
        }
      } else {
        std::ranges::copy(before, after.begin());
      }
    }
    const std::span<const double> before = from.row(objects_ - 1);
    const std::span<double> after = to.mutableRow(objects_ - 1);
    if (!areLinked(depth, objects_ - 1)) {
      std::ranges::copy(before, after.begin());
      return 0.0;
    }
    const std::span<const double> factors = model_.factors.row(k);
    double largest = 0.0;
    for (std::size_t c = 0; c < after.size(); ++c) {
      after[c] = before[c] * factors[c];
      largest = std::max(largest, after[c]);
    }
    if (largest >= kSmallFactor || largest == 0.0) {
      return 0.0;
    }
    for (double& value : after) {
      value /= largest;
    }
    return std::log(largest);
  }

  void addLast(double score) {
    const Array<double>& fields = fields_.back();
    const std::span<const double> last = fields.row(objects_ - 1);
    // Factors are at most 1, so `score` bounds the labellings of this row.
    if (score > best_) {
      const auto likeliest = std::ranges::max_element(last);
      if (const double log_likeliest = score + std::log(*likeliest); log_likeliest > best_) {
        best_ = log_likeliest;
        labelling_.back() = likeliest - last.begin();
        most_likely_ = labelling_;
      }
    }
    if (score > top_) {
      const double scale = std::exp(top_ - score);
      for (double& sum : sums_.mutableValues()) {
        sum *= scale;
      }
      top_ = score;
    }
    const double weight = std::exp(score - top_);
    const std::span<double> sums = sums_.mutableRow(objects_ - 1);
    double total = 0.0;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      sums[c] += weight * last[c];
      total += last[c];
    }
    for (std::int64_t i = 0; i < objects_ - 1; ++i) {
      const std::int64_t k = labelling_[static_cast<std::size_t>(i)];
      sums_.mutableRow(i)[static_cast<std::size_t>(k)] += weight * total;
    }
  }

  const SceneModel& model_;
  std::int64_t objects_;
  std::int64_t classes_;
  std::vector<std::uint8_t> linked_;  ///< [n, n]
  /// Of each depth: [n, K] log scores of the classes of later objects, given those before; of the
  /// last object, scores.
  std::vector<Array<double>> fields_;
  std::vector<std::int64_t> labelling_;
  Array<double> sums_;            ///< [n, K], sums of exp(log score - top_)
  double top_ = kMinusInfinity;   ///< largest log score so far
  double best_ = kMinusInfinity;  ///< log score of most_likely_
  std::vector<std::int64_t> most_likely_;
};

}  // namespace

SceneEnumeration enumerateScene(const SceneModel& model) {
  return Enumerator(model).run();
}

}  // namespace dubito
