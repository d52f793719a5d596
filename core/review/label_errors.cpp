// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/label_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>

#include "core/base/collect_parts.h"
#include "core/base/compensated_sum.h"
#include "core/base/nan.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

constexpr double kMinThreshold = 2.0 * kThresholdTolerance;
constexpr std::int64_t kClassesPerPart = 16;
constexpr const char* kByNoiseRate = "prune-by-noise-rate";
constexpr const char* kByClass = "prune-by-class";
constexpr const char* kBoth = "both";
constexpr const char* kConfidentLearning = "confident-learning";
constexpr const char* kPredictedNeqGiven = "predicted-neq-given";

Status needsProbsAndLabels(const Run& run, const std::string& name) {
  if (isItsOwnLabel(run)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: its suggestions are its labels, so none can contradict another; "
                            "label errors need a network: give its run over the same images",
                            name));
  }
  if (Status probs = requireProbabilities(run, name); !probs) {
    return probs;
  }
  if (Status labels = requireLabels(run, name); !labels) {
    return labels;
  }
  if (std::ranges::any_of(run.labels.values(),
                          [&](std::int64_t label) { return label >= run.classCount(); })) {
    throw std::invalid_argument("label errors: a label is not below the number of classes");
  }
  if (run.classCount() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has a single class, so no label can be wrong; give a run with "
                            "several classes",
                            name));
  }
  return {};
}

/// The entries of a row on which everything depends.
struct RowMaxima {
  double of_given = 0.0;
  double of_others = -1.0;  ///< largest probability of another class than the given one
};

template <class T>
RowMaxima maximaOf(std::span<const T> row, std::int64_t given) {
  RowMaxima maxima;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (static_cast<std::int64_t>(k) != given) {
      maxima.of_others = std::max(maxima.of_others, static_cast<double>(row[k]));
    }
  }
  maxima.of_given = static_cast<double>(row[static_cast<std::size_t>(given)]);
  return maxima;
}

double marginOfLabel(const RowMaxima& maxima) {
  return 0.5 * (maxima.of_given - maxima.of_others + 1.0);
}

/// Rounds non-negative numbers of which the sum is the whole number `total` to whole numbers with
/// that sum: those that rounding moved furthest are moved back, among ties those with the highest
/// index if numbers are raised, else those with the lowest.
std::vector<std::int64_t> roundedToTotal(const std::vector<double>& numbers, std::int64_t total) {
  std::vector<std::int64_t> rounded;
  for (const double number : numbers) {
    rounded.push_back(static_cast<std::int64_t>(std::nearbyint(number)));
  }
  for (std::int64_t missing = total - std::reduce(rounded.begin(), rounded.end(), std::int64_t{0});
       missing != 0;
       missing = total - std::reduce(rounded.begin(), rounded.end(), std::int64_t{0})) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto lost = [&](std::size_t k) { return numbers[k] - static_cast<double>(rounded[k]); };
    std::ranges::stable_sort(order, {}, lost);
    if (missing > 0) {
      std::ranges::reverse(order);
    }
    const auto changes = std::min(order.size(), static_cast<std::size_t>(std::abs(missing)));
    for (std::size_t i = 0; i < changes; ++i) {
      rounded[order[i]] += missing > 0 ? 1 : -1;
    }
  }
  return rounded;
}

/// Result of a pass over the labelled items.
struct ItemsByClass {
  std::vector<std::vector<std::int64_t>> rows_given;  ///< [K], ascending by item id
  std::vector<std::int64_t> confident;                ///< [N], -1: none
  /// [N], 1 if no class is more than the tolerance above the given one.
  std::vector<std::uint8_t> nearly_predicted;
};

/// Confident learning over one table of probabilities.
template <class T>
class ConfidentLearning {
 public:
  ConfidentLearning(const Run& run, const Array<T>& probs, const RunContext& context)
      : run_(run),
        probs_(probs),
        labels_(run.labels.values()),
        context_(context),
        classes_(probs.extent(1)) {}

  [[nodiscard]] LabelErrors find(const std::string& rule) {
    LabelErrors result;
    groupByLabel(result);
    result.thresholds = thresholds();
    scoreItems(result);
    countJoint(result);
    calibrateJoint(result);
    result.issues = issuesBy(rule, result.calibrated_joint);
    return result;
  }

 private:
  [[nodiscard]] static std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
  }
  [[nodiscard]] double prob(std::int64_t row, std::int64_t k) const {
    return static_cast<double>(probs_.data()[row * classes_ + k]);
  }

  void groupByLabel(LabelErrors& result) {
    of_.rows_given.resize(at(classes_));
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (labels_[i] >= 0) {
        of_.rows_given[at(labels_[i])].push_back(static_cast<std::int64_t>(i));
        ++result.items;
      }
    }
    result.left_out = run_.itemCount() - result.items;
    const std::int64_t* const ids = run_.ids.data();
    if (!std::ranges::is_sorted(run_.ids.values())) {
      for (std::vector<std::int64_t>& rows : of_.rows_given) {
        std::ranges::sort(rows, {}, [ids](std::int64_t row) { return ids[row]; });
      }
    }
  }

  [[nodiscard]] std::vector<double> thresholds() const {
    std::vector<double> thresholds(at(classes_), std::numeric_limits<double>::infinity());
    context_.parallelFor(classes_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end && !context_.cancelRequested(); ++k) {
        const std::vector<std::int64_t>& rows = of_.rows_given[at(k)];
        CompensatedSum sum;
        for (const std::int64_t row : rows) {
          sum.add(prob(row, k));
        }
        if (!rows.empty()) {
          thresholds[at(k)] =
              std::max(kMinThreshold, sum.value() / static_cast<double>(rows.size()));
        }
      }
    });
    return thresholds;
  }

  [[nodiscard]] std::int64_t confidentClass(std::span<const T> row,
                                            const std::vector<double>& thresholds) const {
    std::int64_t best = -1;
    for (std::int64_t k = 0; k < classes_; ++k) {
      if (static_cast<double>(row[at(k)]) >= thresholds[at(k)] - kThresholdTolerance &&
          (best < 0 || row[at(k)] > row[at(best)])) {
        best = k;
      }
    }
    return best;
  }

  void scoreItems(LabelErrors& result) {
    const std::int64_t n = run_.itemCount();
    of_.confident.assign(at(n), -1);
    of_.nearly_predicted.assign(at(n), 0);
    result.self_confidence = Array<double>::zeros({n});
    result.normalised_margin = Array<double>::zeros({n});
    double* const self_confidence = result.self_confidence.mutableData();
    double* const margin = result.normalised_margin.mutableData();
    const auto counts = collectParts(
        n, kItemsPerPart, std::int64_t{0}, context_,
        [&](std::int64_t begin, std::int64_t end, std::int64_t& estimated) {
          for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t given = labels_[at(i)];
            if (given < 0) {
              self_confidence[i] = margin[i] = kNaN;
              continue;
            }
            const std::span<const T> row = probs_.row(i);
            const RowMaxima maxima = maximaOf(row, given);
            const std::int64_t confident = confidentClass(row, result.thresholds);
            self_confidence[i] = maxima.of_given;
            margin[i] = marginOfLabel(maxima);
            of_.confident[at(i)] = confident;
            // A class that is no more probable is no evidence against the label.
            const bool nearly_predicted = maxima.of_given + kThresholdTolerance >= maxima.of_others;
            of_.nearly_predicted[at(i)] = nearly_predicted ? 1 : 0;
            estimated += confident >= 0 && confident != given && !nearly_predicted ? 1 : 0;
          }
        });
    result.estimated = std::reduce(counts.begin(), counts.end(), std::int64_t{0});
  }

  void countJoint(LabelErrors& result) const {
    result.confident_joint = PairCounts(classes_);
    context_.parallelFor(classes_, kClassesPerPart, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> seconds;
      for (std::int64_t k = begin; k < end; ++k) {
        seconds.clear();
        for (const std::int64_t row : of_.rows_given[at(k)]) {
          if (const std::int64_t confident = of_.confident[at(row)]; confident >= 0) {
            seconds.push_back(confident);
          }
        }
        if (std::ranges::find(seconds, k) == seconds.end()) {
          seconds.push_back(k);
        }
        std::ranges::sort(seconds);
        PairCounts::Row& counts = result.confident_joint.row(k);
        for (const std::int64_t second : seconds) {
          if (counts.empty() || counts.back().second != second) {
            counts.push_back({second, 0});
          }
          ++counts.back().count;
        }
      }
    });
  }

  void calibrateJoint(LabelErrors& result) const {
    result.calibrated_joint = result.confident_joint;
    for (std::int64_t k = 0; k < classes_; ++k) {
      PairCounts::Row& counts = result.calibrated_joint.row(k);
      std::int64_t sum = 0;
      for (const auto& [second, count] : counts) {
        sum += count;
      }
      const auto given = static_cast<std::int64_t>(of_.rows_given[at(k)].size());
      std::vector<double> scaled;
      for (const auto& [second, count] : counts) {
        scaled.push_back(static_cast<double>(count) / static_cast<double>(sum) *
                         static_cast<double>(given));
      }
      // What is left out here is 0, which rounding does not move.
      const std::vector<std::int64_t> rounded = roundedToTotal(scaled, given);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        counts[i].count = rounded[i];
      }
    }
  }

  /// How many items given k (first index) the rules take for l. If the calibrated joint counts no
  /// item of a class as right, one is kept, at the cost of the others.
  [[nodiscard]] PairCounts pruneCounts(PairCounts counts) const {
    for (std::int64_t k = 0; k < classes_; ++k) {
      if (counts.count(k, k) > 0) {
        continue;
      }
      PairCounts::Row& row = counts.row(k);
      const auto wrong = std::ranges::count_if(
          row, [](const PairCounts::Entry& entry) { return entry.count > 0; });
      const double less = 1.0 / static_cast<double>(std::max<std::int64_t>(wrong - 1, 1));
      for (auto& [second, count] : row) {
        count = second == k
                    ? 1
                    : static_cast<std::int64_t>(std::max(0.0, static_cast<double>(count) - less));
      }
    }
    return counts;
  }

  /// Marks the `count` items of `rows` with the lowest score; ties: the lowest ids.
  template <class Score>
  void markLowest(const std::vector<std::int64_t>& rows, std::int64_t count, const Score& score,
                  std::vector<std::uint8_t>& marks) const {
    std::vector<std::pair<double, std::size_t>> order;  // `rows` is in the order of the ids
    order.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      order.emplace_back(score(rows[i]), i);
    }
    const auto end = order.begin() + std::min(count, static_cast<std::int64_t>(rows.size()));
    if (end != order.end()) {
      std::ranges::nth_element(order, end);
    }
    for (auto entry = order.begin(); entry != end; ++entry) {
      marks[at(rows[entry->second])] = 1;
    }
  }

  /// Calls mark(k, rows) for every class given to more than one item, on the context's threads.
  template <class Mark>
  void forEachClass(const Mark& mark) const {
    context_.parallelFor(classes_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end && !context_.cancelRequested(); ++k) {
        if (const auto& rows = of_.rows_given[at(k)]; rows.size() > 1) {
          mark(k, rows);
        }
      }
    });
  }

  void pruneByClass(const PairCounts& counts, std::vector<std::uint8_t>& marks) const {
    forEachClass([&](std::int64_t k, const std::vector<std::int64_t>& rows) {
      const auto wrong = static_cast<std::int64_t>(rows.size()) - counts.count(k, k);
      markLowest(
          rows, wrong, [&](std::int64_t row) { return prob(row, k); }, marks);
    });
  }

  void pruneByNoiseRate(const PairCounts& counts, std::vector<std::uint8_t>& marks) const {
    forEachClass([&](std::int64_t k, const std::vector<std::int64_t>& rows) {
      for (const auto& [l, wrong] : counts.row(k)) {
        if (l != k && wrong > 0) {
          const auto lead = [&, l = l](std::int64_t row) { return prob(row, k) - prob(row, l); };
          markLowest(rows, wrong, lead, marks);
        }
      }
    });
  }

  [[nodiscard]] std::vector<std::int64_t> issuesBy(const std::string& rule,
                                                   const PairCounts& calibrated) const {
    const PairCounts counts = pruneCounts(calibrated);
    std::vector<std::uint8_t> marks(labels_.size(), 0);
    if (rule == kByNoiseRate) {
      pruneByNoiseRate(counts, marks);
    } else if (rule == kByClass) {
      pruneByClass(counts, marks);
    } else if (rule == kBoth) {
      std::vector<std::uint8_t> by_class(labels_.size(), 0);
      pruneByNoiseRate(counts, marks);
      pruneByClass(counts, by_class);
      std::ranges::transform(marks, by_class, marks.begin(), [](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(a & b);
      });
    } else {
      for (std::size_t i = 0; i < marks.size(); ++i) {
        const bool counted = of_.confident[i] >= 0 && of_.confident[i] != labels_[i];
        marks[i] = rule == kPredictedNeqGiven || counted ? 1 : 0;
      }
    }
    std::vector<std::int64_t> issues;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i] != 0 && labels_[i] >= 0 && of_.nearly_predicted[i] == 0) {
        issues.push_back(static_cast<std::int64_t>(i));
      }
    }
    return issues;
  }

  const Run& run_;
  const Array<T>& probs_;
  std::span<const std::int64_t> labels_;
  const RunContext& context_;
  std::int64_t classes_;
  ItemsByClass of_;
};

}  // namespace

std::vector<Field> LabelErrorOptions::fields() {
  return {{{.name = "rule",
            .label = "Rule",
            .help = "which items are suspected",
            .choices = {kByNoiseRate, kByClass, kBoth, kConfidentLearning, kPredictedNeqGiven}},
           &rule}};
}

Status LabelErrorOptions::check() const {
  LabelErrorOptions copy = *this;
  return checkFields(copy.fields());
}

Expected<LabelErrors> findLabelErrors(const Run& run, const std::string& name,
                                      const LabelErrorOptions& options, const RunContext& context) {
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (Status usable = needsProbsAndLabels(run, name); !usable) {
    return failWith(usable);
  }
  LabelErrors result = std::visit(
      [&]<class T>(const Array<T>& probs) {
        return ConfidentLearning<T>(run, probs, context).find(options.rule);
      },
      *run.probs);
  if (context.cancelRequested()) {
    return cancelled();
  }
  result.trained_on_items = run.meta.role == "train";
  result.caveat = outOfSampleCaveat(run, name);
  return result;
}

Expected<LabelQuality> labelQuality(const Run& run, const std::string& name,
                                    const RunContext& context) {
  if (Status usable = needsProbsAndLabels(run, name); !usable) {
    return failWith(usable);
  }
  LabelQuality quality{Array<double>::zeros({run.itemCount()}),
                       Array<double>::zeros({run.itemCount()})};
  double* const self_confidence = quality.self_confidence.mutableData();
  double* const margin = quality.normalised_margin.mutableData();
  std::visit(
      [&](const auto& probs) {
        context.parallelFor(
            run.itemCount(), kItemsPerPart, [&](std::int64_t begin, std::int64_t end) {
              for (std::int64_t i = begin; i < end && !context.cancelRequested(); ++i) {
                const std::int64_t given = run.labels.data()[i];
                if (given < 0) {
                  self_confidence[i] = margin[i] = kNaN;
                  continue;
                }
                const RowMaxima maxima = maximaOf(probs.row(i), given);
                self_confidence[i] = maxima.of_given;
                margin[i] = marginOfLabel(maxima);
              }
            });
      },
      *run.probs);
  if (context.cancelRequested()) {
    return cancelled();
  }
  return quality;
}

std::string outOfSampleCaveat(const Run& run, const std::string& name) {
  if (run.meta.role == "train") {
    return fmt::format(
        "{}: the network was trained on these items (role train), so it has learnt wrong labels, "
        "too, and few of them are found; use cross-validation, or a network trained on other items",
        name);
  }
  if (run.meta.role.empty()) {
    return fmt::format(
        "{}: does not say whether the network was trained on these items; label errors are found "
        "reliably only if it was not",
        name);
  }
  return {};
}

}  // namespace dubito
