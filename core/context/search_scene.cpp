// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/context/scene_model.h"
#include "core/context/scene_order.h"

namespace dubito {
namespace {

/// A branch is left out if all its labellings together weigh less than this share of those summed.
constexpr double kNegligible = 1e-8;
/// No search is worth while if the bound on all labellings is so many times what the labelling
/// that is visited first weighs, with all classes of the last object.
constexpr double kHopeless = 1e20;
/// Factors of one object with all others whose logarithms reach no further leave nothing out of the
/// range of doubles that counts.
constexpr double kMaxLogScore = 300.0;

/// Chooses the classes of one object after the other, the surest object and its likeliest class
/// first, and leaves out branches that a bound shows to be negligible. Bound: the factor of two
/// objects without a class is at most the root of the largest factors of both classes, so that a
/// product of sums over the single objects bounds the sum over all their labellings.
class Search {
 public:
  Search(const SceneModel& model, const SearchLimits& limits)
      : model_(model),
        limits_(limits),
        order_(surestFirst(model.log_probs)),
        objects_(model.log_probs.extent(0)),
        classes_(static_cast<std::size_t>(model.log_probs.extent(1))),
        labelling_(order_.size()),
        sums_(Array<double>::zeros(model.log_probs.shape())),
        labellings_(std::pow(static_cast<double>(classes_), static_cast<double>(objects_))) {
    const auto classes = static_cast<std::int64_t>(classes_);
    largest_ = Array<double>::zeros({objects_, classes});
    for (std::int64_t k = 0; k < classes; ++k) {
      const double log_largest = std::ranges::max(model.factors.logRow(k));
      for (std::int64_t free = 0; free < objects_; ++free) {
        largest_.mutableRow(free)[static_cast<std::size_t>(k)] =
            std::exp(0.5 * static_cast<double>(free) * log_largest);
      }
    }
    for (std::int64_t depth = 0; depth < objects_; ++depth) {
      nodes_.push_back({.fields = Array<double>::zeros({objects_, classes}),
                        .totals = std::vector<double>(order_.size()),
                        .bounds = std::vector<double>(classes_),
                        .likely = {}});
    }
  }

  std::optional<SceneSearch> run() {
    Array<double>& fields = nodes_.front().fields;
    for (std::int64_t i = 0; i < objects_; ++i) {
      const auto logs = model_.log_probs.row(order_[static_cast<std::size_t>(i)]);
      const double largest = std::ranges::max(logs);
      std::ranges::transform(logs, fields.mutableRow(i).begin(),
                             [&](double log) { return std::exp(log - largest); });
    }
    descend(0, 1.0);
    if (stopped_ || !(left_out_ <= limits_.tolerance * sum_)) {
      return std::nullopt;
    }
    SceneSearch result{.log_probs = std::move(sums_), .left_out = left_out_ / sum_};
    for (double& value : result.log_probs.mutableValues()) {
      value = std::log(value / (sum_ + left_out_));
    }
    return result;
  }

 private:
  /// What is known at one depth, given the classes of the objects before.
  struct Node {
    Array<double> fields;        ///< [n, K] scores of the classes of later objects
    std::vector<double> totals;  ///< [n] bounds on their sums
    std::vector<double> bounds;  ///< [K] of the classes of this object, without other objects
    std::vector<std::size_t> likely;
  };

  /// Chooses the class of the object at `depth`; `score` is that of the objects before it. Returns
  /// the bound on all labellings if it left them out, else 0.
  double descend(std::int64_t depth, double score) {
    Node& node = nodes_[static_cast<std::size_t>(depth)];
    if (depth == objects_ - 1) {
      addLast(node.fields.row(depth), score);
      return 0.0;
    }
    // Pairs of each of these objects with the others of them.
    const std::span<const double> largest = largest_.row(objects_ - 1 - depth);
    double later = score;
    for (std::int64_t j = depth + 1; j < objects_; ++j) {
      later *= node.totals[static_cast<std::size_t>(j)] = weigh(node.fields.row(j), largest);
    }
    double total = 0.0;
    const std::span<const double> own = std::as_const(node.fields).row(depth);
    for (std::size_t k = 0; k < classes_; ++k) {
      node.bounds[k] = own[k] * largest[k];
      total += node.bounds[k];
    }
    root_ = depth == 0 ? total * later : root_;
    if (total * later <= kNegligible * sum_) {
      return total * later;
    }
    steps_ += static_cast<double>(objects_ - depth) * static_cast<double>(classes_);
    node.likely.clear();
    for (std::size_t k = 0; k < classes_; ++k) {
      if (node.bounds[k] * later > kNegligible * sum_) {
        node.likely.push_back(k);
      }
    }
    std::ranges::sort(node.likely, std::greater<>(), [&](std::size_t k) { return node.bounds[k]; });
    double left_out = 0.0;
    for (const std::size_t k : node.likely) {
      double bound = node.bounds[k] * later;
      if (bound > kNegligible * sum_ && !stopped_) {
        labelling_[static_cast<std::size_t>(depth)] = k;
        restrict(depth, k);
        bound = descend(depth + 1, score * own[k]);
      }
      // What remains are the bounds of classes that were left out.
      node.bounds[k] = later > 0.0 ? bound / later : 0.0;
    }
    for (std::size_t k = 0; k < classes_; ++k) {
      left_out += node.bounds[k];
    }
    if (left_out > 0.0) {
      addLeftOut(depth, later, left_out);
    }
    return 0.0;
  }

  /// Scores of the classes of the objects after `depth` if it is of class `k`.
  void restrict(std::int64_t depth, std::size_t k) {
    const Array<double>& from = nodes_[static_cast<std::size_t>(depth)].fields;
    Array<double>& to = nodes_[static_cast<std::size_t>(depth) + 1].fields;
    const std::span<const double> factors = model_.factors.row(static_cast<std::int64_t>(k));
    for (std::int64_t j = depth + 1; j < objects_; ++j) {
      std::ranges::transform(from.row(j), factors, to.mutableRow(j).begin(), std::multiplies<>());
    }
    steps_ += static_cast<double>(objects_ - depth - 1) * static_cast<double>(classes_);
    stopped_ = stopped_ || steps_ > limits_.steps;
  }

  static double weigh(std::span<const double> values, std::span<const double> weights) {
    double sums[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= values.size(); k += 4) {
      for (std::size_t part = 0; part < 4; ++part) {
        sums[part] += values[k + part] * weights[k + part];
      }
    }
    for (; k < values.size(); ++k) {
      sums[0] += values[k] * weights[k];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  std::span<double> sumsOf(std::int64_t depth) {
    return sums_.mutableRow(order_[static_cast<std::size_t>(depth)]);
  }

  void addLast(std::span<const double> last, double score) {
    const std::span<double> sums = sumsOf(objects_ - 1);
    double total = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      sums[k] += score * last[k];
      total += last[k];
    }
    stopped_ = stopped_ ||
               (sum_ == 0.0 && labellings_ > limits_.steps && root_ > kHopeless * score * total);
    sum_ += score * total;
    for (std::int64_t i = 0; i < objects_ - 1; ++i) {
      sumsOf(i)[labelling_[static_cast<std::size_t>(i)]] += score * total;
    }
  }

  /// Adds the bound on the classes left out at `depth` to the sums, as if the objects were
  /// independent, so that no class that is possible gets the probability 0.
  void addLeftOut(std::int64_t depth, double later, double left_out) {
    const Node& node = nodes_[static_cast<std::size_t>(depth)];
    const double total = later * left_out;
    left_out_ += total;
    for (std::int64_t i = 0; i < depth; ++i) {
      sumsOf(i)[labelling_[static_cast<std::size_t>(i)]] += total;
    }
    const std::span<double> own = sumsOf(depth);
    for (std::size_t k = 0; k < classes_; ++k) {
      own[k] += later * node.bounds[k];
    }
    const std::span<const double> largest = largest_.row(objects_ - 1 - depth);
    for (std::int64_t j = depth + 1; j < objects_; ++j) {
      const std::span<const double> fields = node.fields.row(j);
      const std::span<double> sums = sumsOf(j);
      const double scale = total / node.totals[static_cast<std::size_t>(j)];
      for (std::size_t k = 0; k < classes_; ++k) {
        sums[k] += scale * fields[k] * largest[k];
      }
    }
  }

  const SceneModel& model_;
  SearchLimits limits_;
  std::vector<std::int64_t> order_;
  std::int64_t objects_;
  std::size_t classes_;
  Array<double> largest_;  ///< [n, K] bounds of a class's factors with so many other objects
  std::vector<Node> nodes_;
  std::vector<std::size_t> labelling_;
  Array<double> sums_;     ///< [n, K]
  double sum_ = 0.0;       ///< of all labellings visited
  double left_out_ = 0.0;  ///< bound on all others
  double labellings_;      ///< K^n
  double root_ = 0.0;      ///< bound on all labellings
  double steps_ = 0.0;
  bool stopped_ = false;
};

}  // namespace

std::optional<SceneSearch> searchScene(const SceneModel& model, const SearchLimits& limits) {
  const auto objects = static_cast<double>(model.log_probs.extent(0));
  if (2.0 * static_cast<double>(model.pairs.size()) != objects * (objects - 1.0) ||
      (objects - 1.0) * model.factors.logRange() > kMaxLogScore) {
    return std::nullopt;
  }
  return Search(model, limits).run();
}

}  // namespace dubito
