// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/retraining.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/json_integer.h"
#include "core/decisions/run_uncertainty.h"
#include "core/review/autolabel.h"
#include "core/runs/run_rows.h"
#include "core/study/result_json.h"

namespace dubito {
namespace {

using nlohmann::json;

/// An item of the target run.
struct TargetItem {
  std::int64_t run_row = 0;
  std::int64_t position = 0;  ///< in the dataset
  std::int64_t label = 0;     ///< the true one
  double uncertainty = 0.0;
};

/// Positions in the dataset by id.
std::map<std::int64_t, std::int64_t> positionsOf(const Dataset& dataset) {
  std::map<std::int64_t, std::int64_t> positions;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    positions[dataset.ids()[static_cast<std::size_t>(i)]] = i;
  }
  return positions;
}

/// Positions of the labelled items of a run in its dataset.
std::vector<std::int64_t> labelledPositions(const Run& run, const Dataset& dataset) {
  const auto position_of_id = positionsOf(dataset);
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    if (run.labels.data()[i] >= 0) {
      positions.push_back(position_of_id.at(run.ids.data()[i]));
    }
  }
  return positions;
}

/// As many of the items, which keep their order, as a hash of the id chooses.
std::vector<TargetItem> randomOf(const std::vector<TargetItem>& items, const Run& run,
                                 std::int64_t count) {
  std::vector<std::int64_t> ids;
  for (const TargetItem& item : items) {
    ids.push_back(run.ids.data()[item.run_row]);
  }
  std::vector<TargetItem> chosen;
  for (const std::int64_t row : keyedRows(ids, count)) {
    chosen.push_back(items[static_cast<std::size_t>(row)]);
  }
  return chosen;
}

/// The `count` <= items.size() items with the lowest uncertainty.
std::vector<TargetItem> surestOf(std::vector<TargetItem> items, const Run& run,
                                 std::int64_t count) {
  if (count == std::ssize(items)) {
    return items;
  }
  std::vector<double> uncertainties;
  for (const TargetItem& item : items) {
    uncertainties.push_back(item.uncertainty);
  }
  std::ranges::nth_element(uncertainties, uncertainties.begin() + (count - 1));
  const double last = uncertainties[static_cast<std::size_t>(count - 1)];
  std::vector<TargetItem> tied;
  std::vector<TargetItem> surest;
  for (const TargetItem& item : items) {
    if (item.uncertainty <= last) {
      (item.uncertainty < last ? surest : tied).push_back(item);
    }
  }
  const std::vector<TargetItem> more = randomOf(tied, run, count - std::ssize(surest));
  surest.insert(surest.end(), more.begin(), more.end());
  return surest;
}

std::vector<TargetItem> mostUncertainOf(std::vector<TargetItem> items, std::int64_t count) {
  std::ranges::stable_sort(items, std::ranges::greater(), &TargetItem::uncertainty);
  items.resize(static_cast<std::size_t>(count));
  return items;
}

class Retrainer {
 public:
  Retrainer(const RetrainingInputs& inputs, const RetrainingOptions& options, RunContext& context)
      : inputs_(inputs), options_(options), context_(context) {}

  Status open(Measure measure) {
    const Run& run = inputs_.runs.target;
    const auto uncertainty = uncertaintyOf(run, "target", measure, context_);
    if (!uncertainty) {
      return failWith(uncertainty);
    }
    auto learner = targetLearner(
        inputs_.network, inputs_.target,
        labelledPositions(inputs_.runs.validation, inputs_.network.source()), options_, context_);
    if (!learner) {
      return failWith(learner);
    }
    learner_ = *std::move(learner);
    const std::vector<std::uint8_t> in_pool = poolOf(run.ids.values());
    const auto position_of_id = positionsOf(inputs_.target);
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      if (run.labels.data()[i] >= 0) {
        (in_pool[static_cast<std::size_t>(i)] != 0 ? pool_ : tested_)
            .push_back({.run_row = i,
                        .position = position_of_id.at(run.ids.data()[i]),
                        .label = run.labels.data()[i],
                        .uncertainty = uncertainty->values.data()[i]});
      }
    }
    return {};
  }

  Expected<RetrainingResult> compare(LabellingRule rule, double guaranteed, double threshold) {
    const Run& run = inputs_.runs.target;
    RetrainingResult result{.rule = rule,
                            .guaranteed = guaranteed,
                            .pool = std::ssize(pool_),
                            .tested = std::ssize(tested_)};
    std::vector<std::int64_t> given;
    for (const TargetItem& item : tested_) {
      given.push_back(run.predictions.data()[item.run_row]);
    }
    const double before = accuracyOf(given);
    result.accuracy = {before, before, before, before};
    std::vector<TargetItem> accepted;
    std::ranges::copy_if(pool_, std::back_inserter(accepted), [threshold](const TargetItem& item) {
      return item.uncertainty <= threshold;
    });
    result.labels = std::min(std::ssize(accepted), options_.budget.value_or(std::ssize(accepted)));
    if (result.labels == 0) {
      return result;
    }
    std::vector<TargetItem> automatic = surestOf(std::move(accepted), run, result.labels);
    for (TargetItem& item : automatic) {
      const std::int64_t label = run.predictions.data()[item.run_row];
      result.right += label == item.label ? 1 : 0;
      item.label = label;
    }
    for (const auto& [items, accuracy] :
         {std::pair(automatic, &result.accuracy.automatic),
          {randomOf(pool_, run, result.labels), &result.accuracy.random},
          {mostUncertainOf(pool_, result.labels), &result.accuracy.uncertain}}) {
      const auto value = accuracyAfter(items);
      if (!value) {
        return failWith(value);
      }
      *accuracy = *value;
    }
    return result;
  }

 private:
  Expected<double> accuracyAfter(const std::vector<TargetItem>& items) {
    std::vector<TargetLabel> labelled;
    for (const TargetItem& item : items) {
      labelled.push_back({item.position, item.label});
    }
    // A selection has one order, however it was made.
    std::ranges::sort(labelled);
    if (const auto known = accuracy_of_.find(labelled); known != accuracy_of_.end()) {
      return known->second;
    }
    std::vector<std::int64_t> tested;
    for (const TargetItem& item : tested_) {
      tested.push_back(item.position);
    }
    const auto classes = learner_->classesAfter(labelled, tested, context_);
    if (!classes) {
      return failWith(classes);
    }
    return accuracy_of_[labelled] = accuracyOf(*classes);
  }

  /// Share of the tested items whose class is right.
  [[nodiscard]] double accuracyOf(const std::vector<std::int64_t>& classes) const {
    double right = 0.0;
    for (std::size_t i = 0; i < tested_.size(); ++i) {
      right += classes[i] == tested_[i].label ? 1.0 : 0.0;
    }
    return tested_.empty() ? 0.0 : right / static_cast<double>(tested_.size());
  }

  const RetrainingInputs& inputs_;
  const RetrainingOptions& options_;
  RunContext& context_;
  std::unique_ptr<TargetLearner> learner_;
  std::vector<TargetItem> pool_;
  std::vector<TargetItem> tested_;
  std::map<std::vector<TargetLabel>, double> accuracy_of_;
};

RetrainingResult retrainingResultFromJson(const json& object) {
  RetrainingResult result;
  result.rule = labellingRuleOf(object.at("rule").get<std::string>());
  readInto(object.at("promised"), result.guaranteed);
  readInto(object.at("pool"), result.pool);
  readInto(object.at("tested"), result.tested);
  readInto(object.at("labels"), result.labels);
  readInto(object.at("right"), result.right);
  readInto(object.at("before"), result.accuracy.before);
  readInto(object.at("automatic"), result.accuracy.automatic);
  readInto(object.at("random"), result.accuracy.random);
  readInto(object.at("uncertain"), result.accuracy.uncertain);
  return result;
}

}  // namespace

std::vector<std::uint8_t> poolOf(std::span<const std::int64_t> ids) {
  std::vector<std::uint8_t> in_pool(ids.size(), 0);
  for (const std::int64_t row : keyedRows(ids, static_cast<std::int64_t>(ids.size() / 2))) {
    in_pool[static_cast<std::size_t>(row)] = 1;
  }
  return in_pool;
}

Expected<std::vector<RetrainingResult>> retrain(const RetrainingInputs& inputs,
                                                const LabellingOptions& labelling,
                                                const RetrainingOptions& options,
                                                RunContext& context) {
  const Measure measure = measureOfKey(labelling.measure).value();
  Retrainer retrainer(inputs, options, context);
  if (Status opened = retrainer.open(measure); !opened) {
    return failWith(opened);
  }
  std::vector<RetrainingResult> results;
  for (const double guaranteed : labelling.targets) {
    for (const auto& [rule, calibration] :
         {std::pair(LabellingRule::kSource, &inputs.runs.validation),
          {LabellingRule::kTarget, &inputs.runs.adaptation}}) {
      const auto items = calibrationItems(*calibration, keyOf(rule), measure, context);
      if (!items) {
        return failWith(items);
      }
      SelectionOptions selection = labelling.selection;
      selection.target = guaranteed;
      const auto chosen =
          selectThreshold(items->uncertainty, items->error, items->top, selection, context);
      if (!chosen) {
        return failWith(chosen);
      }
      auto result = retrainer.compare(
          rule, guaranteed, chosen->threshold.value_or(-std::numeric_limits<double>::infinity()));
      if (!result) {
        return failWith(result);
      }
      results.push_back(*result);
    }
  }
  return results;
}

json toJson(const std::vector<RetrainingResult>& results) {
  json array = json::array();
  for (const RetrainingResult& result : results) {
    array.push_back({{"rule", keyOf(result.rule)},
                     {"promised", result.guaranteed},
                     {"pool", result.pool},
                     {"tested", result.tested},
                     {"labels", result.labels},
                     {"right", result.right},
                     {"before", result.accuracy.before},
                     {"automatic", result.accuracy.automatic},
                     {"random", result.accuracy.random},
                     {"uncertain", result.accuracy.uncertain}});
  }
  return array;
}

Expected<std::vector<RetrainingResult>> retrainingFromJson(const json& array,
                                                           const std::string& source) {
  return resultsFromJson(array, "retraining", source, retrainingResultFromJson);
}

}  // namespace dubito
