// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/selection.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/decisions/clopper_pearson.h"

namespace dubito {
namespace {

/// Calibration items in the order of their uncertainty.
class SortedItems {
 public:
  SortedItems(std::span<const double> uncertainty, std::span<const std::uint8_t> error) {
    items_.reserve(error.size());
    for (std::size_t i = 0; i < error.size(); ++i) {
      items_.push_back({uncertainty[i], error[i] != 0 ? 1 : 0});
    }
    std::ranges::sort(items_, {}, &Item::uncertainty);
    for (std::size_t i = 1; i < items_.size(); ++i) {
      items_[i].errors += items_[i - 1].errors;
    }
  }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  /// The `rank`-th smallest uncertainty, from 1.
  [[nodiscard]] double at(std::int64_t rank) const {
    return items_[static_cast<std::size_t>(rank - 1)].uncertainty;
  }
  /// What a threshold selects; `rank` is handed on.
  [[nodiscard]] SelectionStep select(double threshold, std::int64_t rank) const {
    const auto end = std::ranges::upper_bound(items_, threshold, {}, &Item::uncertainty);
    const std::int64_t selected = end - items_.begin();
    return {rank, threshold, selected, selected == 0 ? 0 : std::prev(end)->errors, false};
  }

 private:
  struct Item {
    double uncertainty;
    std::int64_t errors;  ///< up to this item
  };
  std::vector<Item> items_;
};

/// One rule at work.
class Search {
 public:
  Search(const SortedItems& items, double top, const SelectionOptions& options)
      : items_(items), top_(top), options_(options) {}

  [[nodiscard]] Status run(RunContext& context) {
    if (options_.rule == "pointwise") {
      return pointwise(context);
    }
    if (options_.rule == "sgr") {
      sgr();
    } else if (options_.rule == "fixed-sequence") {
      fixedSequence();
    } else {
      bonferroniGrid();
    }
    return {};
  }

  /// Clopper and Pearson's bound for the chosen threshold at the level at which it was tested.
  [[nodiscard]] double upperError() const {
    // A threshold of the sequence is only tested against the target.
    return options_.rule == "fixed-sequence"
               ? 1.0 - options_.target
               : clopperPearsonUpper(chosen->errors, chosen->selected, 1.0 - chosen_at_);
  }

  std::optional<SelectionStep> chosen;
  std::vector<SelectionStep> path;

 private:
  /// Looks at a threshold at level `delta`.
  bool passes(SelectionStep step, double delta) {
    const double wanted = 1.0 - options_.target;
    // The bound lies above the share of errors, so that most thresholds need no bound.
    step.passed = static_cast<double>(step.errors) <= wanted * static_cast<double>(step.selected) &&
                  clopperPearsonUpper(step.errors, step.selected, 1.0 - delta) <= wanted;
    if (step.passed) {
      chosen = step;
      chosen_at_ = delta;
    }
    path.push_back(step);
    return step.passed;
  }

  [[nodiscard]] double gridThreshold(int j) const {
    return top_ * (static_cast<double>(j) / kSelectionGrid);
  }

  /// As many rounds as a binary search over n items takes: ceil(log2 n).
  void sgr() {
    const std::int64_t n = items_.size();
    const auto rounds = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
    std::int64_t low = 1;
    std::int64_t high = n;
    for (int round = 0; round < rounds; ++round) {
      const std::int64_t middle = (low + high + 1) / 2;
      const bool passed = passes(items_.select(items_.at(middle), middle), options_.delta / rounds);
      (passed ? low : high) = middle;
    }
  }

  void fixedSequence() {
    for (int j = kFirstSequenceStep; j <= kSelectionGrid; ++j) {
      if (!passes(items_.select(gridThreshold(j), 0), options_.delta)) {
        return;
      }
    }
  }

  void bonferroniGrid() {
    for (int j = 1; j <= kSelectionGrid; ++j) {
      passes(items_.select(gridThreshold(j), 0), options_.delta / kSelectionGrid);
    }
  }

  Status pointwise(RunContext& context) {
    for (std::int64_t rank = items_.size(); rank >= 1; --rank) {
      if (rank % 1024 == 0 && context.step("searching for a threshold", items_.size() - rank,
                                           items_.size()) == Step::kCancel) {
        return cancelled();
      }
      if (passes(items_.select(items_.at(rank), rank), options_.delta)) {
        break;
      }
    }
    path.clear();
    return {};
  }

  const SortedItems& items_;
  double top_;
  const SelectionOptions& options_;
  double chosen_at_ = 1.0;  ///< level at which `chosen` passed
};

std::vector<std::string> ruleChoices() {
  std::vector<std::string> rules(kGuaranteedRules.begin(), kGuaranteedRules.end());
  rules.emplace_back("pointwise");
  return rules;
}

}  // namespace

std::vector<Field> SelectionOptions::fields() {
  return {
      {{.name = "target",
        .label = "Target",
        .help = "required share of correct predictions among the selected items",
        .min = 0.0,
        .max = 1.0},
       &target},
      {{.name = "delta",
        .label = "Delta",
        .help = "maximum probability, over calibration sets, of missing the target",
        .min = 1e-12,
        .max = 0.999},
       &delta},
      {{.name = "rule",
        .label = "Rule",
        .help = "how the threshold is searched for; pointwise gives no guarantee",
        .choices = ruleChoices()},
       &rule},
  };
}

Status SelectionOptions::check() const {
  SelectionOptions copy = *this;
  return checkFields(copy.fields());
}

Expected<Selection> selectThreshold(std::span<const double> uncertainty,
                                    std::span<const std::uint8_t> error, double top,
                                    const SelectionOptions& options, RunContext& context) {
  if (uncertainty.size() != error.size() || !(top > 0.0)) {
    throw std::invalid_argument(
        "selectThreshold requires an uncertainty and an outcome for each item");
  }
  if (Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  if (error.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no labelled item to choose a threshold on; give a calibration run with "
                "labels");
  }
  const SortedItems items(uncertainty, error);
  Search search(items, top, options);
  if (Status searched = search.run(context); !searched) {
    return failWith(searched);
  }
  Selection selection;
  selection.guaranteed = options.rule != "pointwise";
  selection.items = items.size();
  selection.path = std::move(search.path);
  if (search.chosen) {
    selection.threshold = search.chosen->threshold;
    selection.selected = search.chosen->selected;
    selection.errors = search.chosen->errors;
    selection.upper_error_unadjusted =
        clopperPearsonUpper(selection.errors, selection.selected, 1.0 - options.delta);
    selection.upper_error = search.upperError();
  }
  return selection;
}

}  // namespace dubito
