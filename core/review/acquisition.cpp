// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/acquisition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace dubito {
namespace {

double entropyTerm(double probability) {
  return probability > 0.0 ? -probability * std::log(probability) : 0.0;
}

/// The joint distribution of the labels of a growing set of rows, for each draw.
template <class T>
class JointLabels {
 public:
  explicit JointLabels(const Array<T>& samples) : samples_(samples) {
    if (samples.rank() != 3 || samples.extent(0) < 1 || samples.extent(2) < 1) {
      throw std::invalid_argument("acquisition: needs samples [T, N, K] with T, K >= 1");
    }
    draws_ = samples.extent(0);
    items_ = samples.extent(1);
    classes_ = samples.extent(2);
    of_draw_.assign(static_cast<std::size_t>(draws_), {1.0});
  }

  [[nodiscard]] std::int64_t items() const { return items_; }
  [[nodiscard]] std::int64_t classes() const { return classes_; }
  /// Whether one more row keeps the joint enumerable.
  [[nodiscard]] bool canGrow() const { return configurations() <= kMaxConfigurations / classes_; }

  void check(std::int64_t row) const {
    if (row < 0 || row >= items_) {
      throw std::out_of_range("acquisition: there is no such row");
    }
  }

  /// Joint mutual information of the rows so far.
  [[nodiscard]] double information() const { return information_; }

  /// Memory of informationWith, kept between calls.
  struct Scratch {
    std::vector<double> probs;
    std::vector<double> joint;
  };

  /// Joint mutual information with one more row.
  [[nodiscard]] double informationWith(std::int64_t row, Scratch& scratch) const {
    scratch.joint.assign(static_cast<std::size_t>(configurations() * classes_), 0.0);
    double conditional = conditional_;
    for (std::int64_t t = 0; t < draws_; ++t) {
      conditional += readRow(t, row, scratch.probs) / static_cast<double>(draws_);
      double* out = scratch.joint.data();
      for (const double before : of_draw_[static_cast<std::size_t>(t)]) {
        for (const double prob : scratch.probs) {
          *out++ += before * prob;
        }
      }
    }
    double entropy = 0.0;
    for (const double sum : scratch.joint) {
      entropy += entropyTerm(sum / static_cast<double>(draws_));
    }
    return entropy - conditional;
  }

  void add(std::int64_t row) {
    check(row);
    Scratch scratch;
    information_ = informationWith(row, scratch);
    for (std::int64_t t = 0; t < draws_; ++t) {
      conditional_ += readRow(t, row, scratch.probs) / static_cast<double>(draws_);
      std::vector<double>& joint = of_draw_[static_cast<std::size_t>(t)];
      std::vector<double> longer;
      longer.reserve(scratch.joint.size());
      for (const double before : joint) {
        for (const double prob : scratch.probs) {
          longer.push_back(before * prob);
        }
      }
      joint = std::move(longer);
    }
  }

 private:
  [[nodiscard]] std::int64_t configurations() const {
    return static_cast<std::int64_t>(of_draw_.front().size());
  }
  /// Reads one row and returns its entropy. Rows are normalised, because the bounds of the greedy
  /// search hold only for probabilities that sum to 1, and float32 rows do not.
  double readRow(std::int64_t draw, std::int64_t row, std::vector<double>& probs) const {
    const T* const stored = samples_.data() + (draw * items_ + row) * classes_;
    probs.assign(stored, stored + classes_);
    const double sum = std::accumulate(probs.begin(), probs.end(), 0.0);
    double entropy = 0.0;
    for (double& prob : probs) {
      prob /= sum;
      entropy += entropyTerm(prob);
    }
    return entropy;
  }

  const Array<T>& samples_;
  std::int64_t draws_ = 0;
  std::int64_t items_ = 0;
  std::int64_t classes_ = 0;
  /// [T][K^b], probability of every configuration in one draw.
  std::vector<std::vector<double>> of_draw_;
  double conditional_ = 0.0;  ///< sum of E_t H(y_i | draw t) over the rows
  double information_ = 0.0;
};

template <class T>
Expected<double> informationOf(const Array<T>& samples, std::span<const std::int64_t> rows) {
  JointLabels<T> joint(samples);
  for (const std::int64_t row : rows) {
    if (!joint.canGrow()) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{} items of {} classes have more than {} joint labels, too many to "
                              "enumerate; choose fewer items",
                              rows.size(), joint.classes(), kMaxConfigurations));
    }
    joint.add(row);
  }
  return joint.information();
}

/// A row with an upper bound of its gain: its gain for a smaller batch.
struct Candidate {
  std::int64_t row = 0;
  double bound = std::numeric_limits<double>::infinity();
};

/// Moves the candidate with the largest gain to the end and updates the bounds of those evaluated.
/// Bounds within the slack are evaluated, too, because gains are rounded.
template <class T>
void bestLast(const JointLabels<T>& joint, std::vector<Candidate>& candidates,
              const RunContext& context) {
  constexpr std::size_t kChunk = 256;
  constexpr std::int64_t kGrain = 16;
  constexpr double kSlack = 1e-9;
  const auto comesBefore = [](const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.row < b.row;
  };
  std::ranges::sort(candidates, comesBefore);
  std::size_t best = candidates.size();
  for (std::size_t begin = 0; begin < candidates.size(); begin += kChunk) {
    if (best < candidates.size() && candidates[begin].bound < candidates[best].bound - kSlack) {
      break;
    }
    const std::size_t end = std::min(begin + kChunk, candidates.size());
    context.parallelFor(
        static_cast<std::int64_t>(end - begin), kGrain, [&](std::int64_t first, std::int64_t last) {
          typename JointLabels<T>::Scratch scratch;
          for (std::int64_t i = first; i < last && !context.cancelRequested(); ++i) {
            Candidate& one = candidates[begin + static_cast<std::size_t>(i)];
            one.bound = joint.informationWith(one.row, scratch) - joint.information();
          }
        });
    for (std::size_t i = begin; i < end; ++i) {
      if (best == candidates.size() || comesBefore(candidates[i], candidates[best])) {
        best = i;
      }
    }
  }
  std::swap(candidates[best], candidates.back());
}

template <class T>
Expected<BatchBald> greedyBatch(const Array<T>& samples, std::span<const std::int64_t> rows,
                                std::int64_t count, RunContext& context) {
  JointLabels<T> joint(samples);
  std::vector<Candidate> candidates;
  if (rows.empty()) {
    for (std::int64_t row = 0; row < joint.items(); ++row) {
      candidates.push_back({row});
    }
  } else {
    for (const std::int64_t row : rows) {
      joint.check(row);
      candidates.push_back({row});
    }
  }
  BatchBald batch;
  const std::int64_t wanted = std::min(count, static_cast<std::int64_t>(candidates.size()));
  while (static_cast<std::int64_t>(batch.rows.size()) < wanted) {
    if (!joint.canGrow()) {
      batch.is_limited = true;
      break;
    }
    const auto done = static_cast<std::int64_t>(batch.rows.size());
    if (context.step("BatchBALD", done, wanted) == Step::kCancel) {
      return cancelled();
    }
    bestLast(joint, candidates, context);
    joint.add(candidates.back().row);
    batch.rows.push_back(candidates.back().row);
    batch.information.push_back(joint.information());
    candidates.pop_back();
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  return batch;
}

/// The row that is farthest from those chosen so far.
struct Farthest {
  std::int64_t row = -1;
  double distance = -1.0;  ///< weighted
};

template <class T>
Expected<FarthestFirst> traverse(const Array<T>& features, std::int64_t start, std::int64_t count,
                                 std::span<const double> weights, RunContext& context) {
  constexpr std::int64_t kGrain = 4096;
  const std::int64_t items = features.extent(0);
  std::vector<double> nearest(static_cast<std::size_t>(items),
                              std::numeric_limits<double>::infinity());  // squared
  std::vector<Farthest> of_parts(static_cast<std::size_t>((items + kGrain - 1) / kGrain));
  FarthestFirst order;
  Farthest next{start, std::numeric_limits<double>::infinity()};
  const std::int64_t wanted = std::min(count, items);
  // No row is left if features are not numbers.
  while (static_cast<std::int64_t>(order.rows.size()) < wanted && next.row >= 0) {
    order.rows.push_back(next.row);
    order.distance.push_back(next.distance);
    nearest[static_cast<std::size_t>(next.row)] = -1.0;  // chosen
    if (context.step("farthest first", static_cast<std::int64_t>(order.rows.size()), wanted) ==
        Step::kCancel) {
      return cancelled();
    }
    const std::span<const T> centre = features.row(next.row);
    context.parallelFor(items, kGrain, [&](std::int64_t begin, std::int64_t end) {
      Farthest best;
      for (std::int64_t i = begin; i < end; ++i) {
        double& distance = nearest[static_cast<std::size_t>(i)];
        if (distance < 0.0) {
          continue;
        }
        const std::span<const T> row = features.row(i);
        double sum = 0.0;
        for (std::size_t d = 0; d < row.size(); ++d) {
          const double difference = static_cast<double>(row[d]) - static_cast<double>(centre[d]);
          sum += difference * difference;
        }
        distance = sum >= distance ? distance : sum;  // keeps NaN
        const double weighted =
            (weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]) * std::sqrt(distance);
        if (weighted > best.distance) {
          best = {i, weighted};
        }
      }
      of_parts[static_cast<std::size_t>(begin / kGrain)] = best;
    });
    next = *std::ranges::max_element(of_parts, {}, &Farthest::distance);
  }
  return order;
}

}  // namespace

Expected<double> jointMutualInformation(const Array<float>& samples,
                                        std::span<const std::int64_t> rows) {
  return informationOf(samples, rows);
}

Expected<double> jointMutualInformation(const Array<double>& samples,
                                        std::span<const std::int64_t> rows) {
  return informationOf(samples, rows);
}

Expected<BatchBald> batchBald(const Array<float>& samples, std::span<const std::int64_t> candidates,
                              std::int64_t count, RunContext& context) {
  return greedyBatch(samples, candidates, count, context);
}

Expected<BatchBald> batchBald(const Array<double>& samples,
                              std::span<const std::int64_t> candidates, std::int64_t count,
                              RunContext& context) {
  return greedyBatch(samples, candidates, count, context);
}

Expected<FarthestFirst> farthestFirst(const RealArray& features, std::int64_t start,
                                      std::int64_t count, std::span<const double> weights,
                                      RunContext& context) {
  return std::visit(
      [&](const auto& table) -> Expected<FarthestFirst> {
        if (table.rank() != 2) {
          throw std::invalid_argument("farthestFirst: needs features [N, D]");
        }
        if (!weights.empty() && static_cast<std::int64_t>(weights.size()) != table.extent(0)) {
          throw std::invalid_argument("farthestFirst: needs one weight per row");
        }
        if (start < 0 || start >= table.extent(0)) {
          throw std::out_of_range("farthestFirst: there is no such row to start from");
        }
        return traverse(table, start, count, weights, context);
      },
      features);
}

}  // namespace dubito
