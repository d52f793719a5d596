// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/retraining.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/decisions/run_uncertainty.h"
#include "core/inference/derived/run_rows.h"
#include "core/review/autolabel.h"
#include "core/train/head/backbone_features.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {
namespace {

using nlohmann::json;

/// Features and true labels of the readable, labelled items of a set, by id.
struct FeatureTable {
  BackboneFeatures features;
  std::map<std::int64_t, std::int64_t> row_of_id;
};

Expected<FeatureTable> featuresOf(const Model& model, const Dataset& dataset, RunContext& context) {
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (dataset.labels()[static_cast<std::size_t>(i)] >= 0) {
      positions.push_back(i);
    }
  }
  auto features = backboneFeatures(model, dataset, positions, {}, context);
  if (!features) {
    return failWith(features);
  }
  FeatureTable table{*std::move(features), {}};
  for (std::size_t row = 0; row < table.features.items.size(); ++row) {
    const auto item = static_cast<std::size_t>(table.features.items[row]);
    table.row_of_id[dataset.ids()[item]] = static_cast<std::int64_t>(row);
  }
  return table;
}

/// Items to train on, one after the other.
class TrainingItems {
 public:
  void add(const FeatureTable& table, std::int64_t row, std::int64_t label) {
    const auto features = table.features.features.row(row);
    values_.insert(values_.end(), features.begin(), features.end());
    labels_.push_back(label);
  }
  [[nodiscard]] LabelledFeatures items(std::int64_t width) const {
    return {.features = Array<float>::fromVector({static_cast<std::int64_t>(labels_.size()), width},
                                                 values_),
            .labels = labels_};
  }

 private:
  std::vector<float> values_;
  std::vector<std::int64_t> labels_;
};

/// A row of the target run with its features.
struct TargetItem {
  std::int64_t run_row = 0;
  std::int64_t feature_row = 0;
  std::int64_t label = 0;
  double uncertainty = 0.0;
};

std::int64_t predictedClass(const LinearHead& head, std::span<const float> features) {
  std::int64_t best = 0;
  double best_logit = -std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < head.weight.extent(0); ++k) {
    const auto weights = head.weight.row(k);
    double logit = head.bias[static_cast<std::size_t>(k)];
    for (std::size_t q = 0; q < features.size(); ++q) {
      logit += weights[q] * double{features[q]};
    }
    if (logit > best_logit) {
      best = k;
      best_logit = logit;
    }
  }
  return best;
}

class Retrainer {
 public:
  Retrainer(const RetrainingInputs& inputs, const RetrainingOptions& options, RunContext& context)
      : inputs_(inputs), options_(options), context_(context) {}

  Status open(Measure measure) {
    auto target = featuresOf(inputs_.model, inputs_.target, context_);
    auto validation = target ? featuresOf(inputs_.model, inputs_.validation, context_)
                             : Expected<FeatureTable>(failWith(target));
    if (!validation) {
      return failWith(validation);
    }
    target_ = *std::move(target);
    validation_ = *std::move(validation);
    const Run& run = inputs_.runs.target;
    const auto uncertainty = uncertaintyOf(run, "target", measure, context_);
    if (!uncertainty) {
      return failWith(uncertainty);
    }
    const std::vector<std::uint8_t> in_pool = poolOf(run.ids.values());
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      const auto row = target_.row_of_id.find(run.ids.data()[i]);
      if (run.labels.data()[i] >= 0 && row != target_.row_of_id.end()) {
        (in_pool[static_cast<std::size_t>(i)] != 0 ? pool_ : tested_)
            .push_back({.run_row = i,
                        .feature_row = row->second,
                        .label = run.labels.data()[i],
                        .uncertainty = uncertainty->values.data()[i]});
      }
    }
    return {};
  }

  Expected<RetrainingResult> compare(LabellingRule rule, double promised, double threshold) {
    const Run& run = inputs_.runs.target;
    RetrainingResult result{.rule = rule,
                            .promised = promised,
                            .pool = std::ssize(pool_),
                            .tested = std::ssize(tested_)};
    double right = 0.0;
    for (const TargetItem& item : tested_) {
      right += run.predictions.data()[item.run_row] == item.label ? 1.0 : 0.0;
    }
    const double before = tested_.empty() ? 0.0 : right / static_cast<double>(tested_.size());
    result.accuracy = {before, before, before, before};
    std::vector<TargetItem> automatic;
    for (const TargetItem& item : pool_) {
      if (item.uncertainty <= threshold) {
        automatic.push_back(item);
        const std::int64_t given = run.predictions.data()[item.run_row];
        result.right += given == item.label ? 1 : 0;
        automatic.back().label = given;
      }
    }
    result.labels = std::ssize(automatic);
    if (automatic.empty()) {
      return result;
    }
    std::vector<TargetItem> uncertain = pool_;
    std::ranges::stable_sort(uncertain, std::ranges::greater(), &TargetItem::uncertainty);
    uncertain.resize(automatic.size());
    std::vector<std::int64_t> ids;
    for (const TargetItem& item : pool_) {
      ids.push_back(run.ids.data()[item.run_row]);
    }
    std::vector<TargetItem> random;
    for (const std::int64_t row : keyedRows(ids, result.labels)) {
      random.push_back(pool_[static_cast<std::size_t>(row)]);
    }
    for (const auto& [items, accuracy] : {std::pair(&automatic, &result.accuracy.automatic),
                                          {&random, &result.accuracy.random},
                                          {&uncertain, &result.accuracy.uncertain}}) {
      const auto value = accuracyAfter(*items);
      if (!value) {
        return failWith(value);
      }
      *accuracy = *value;
    }
    return result;
  }

 private:
  /// The source is not forgotten: its validation items are trained on as well.
  Expected<double> accuracyAfter(const std::vector<TargetItem>& labelled) {
    TrainingItems training;
    for (std::size_t row = 0; row < validation_.features.items.size(); ++row) {
      const auto item = static_cast<std::size_t>(validation_.features.items[row]);
      training.add(validation_, static_cast<std::int64_t>(row), inputs_.validation.labels()[item]);
    }
    for (const TargetItem& item : labelled) {
      training.add(target_, item.feature_row, item.label);
    }
    const auto fitted = fitSoftmaxRegression(
        training.items(target_.features.features.extent(1)), {},
        {.classes = inputs_.runs.target.classCount(), .l2 = options_.l2}, context_);
    if (!fitted) {
      return failWith(fitted);
    }
    double right = 0.0;
    for (const TargetItem& item : tested_) {
      right += predictedClass(fitted->head, target_.features.features.row(item.feature_row)) ==
                       item.label
                   ? 1.0
                   : 0.0;
    }
    return tested_.empty() ? 0.0 : right / static_cast<double>(tested_.size());
  }

  const RetrainingInputs& inputs_;
  const RetrainingOptions& options_;
  RunContext& context_;
  FeatureTable target_;
  FeatureTable validation_;
  std::vector<TargetItem> pool_;
  std::vector<TargetItem> tested_;
};

}  // namespace

std::vector<Field> RetrainingOptions::fields() {
  return {{{.name = "l2",
            .label = "L2 penalty",
            .help = "strength of the L2 penalty of weights and bias, per item",
            .min = 1e-12,
            .max = 1e6},
           &l2}};
}

Status RetrainingOptions::check() const {
  RetrainingOptions copy = *this;
  return checkFields(copy.fields());
}

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
  for (const double promised : labelling.targets) {
    for (const auto& [rule, calibration] :
         {std::pair(LabellingRule::kSource, &inputs.runs.validation),
          {LabellingRule::kTarget, &inputs.runs.adaptation}}) {
      const auto items = calibrationItems(*calibration, keyOf(rule), measure, context);
      if (!items) {
        return failWith(items);
      }
      SelectionOptions selection = labelling.selection;
      selection.target = promised;
      const auto chosen =
          selectThreshold(items->uncertainty, items->error, items->top, selection, context);
      if (!chosen) {
        return failWith(chosen);
      }
      auto result = retrainer.compare(
          rule, promised, chosen->threshold.value_or(-std::numeric_limits<double>::infinity()));
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
                     {"promised", result.promised},
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
  std::vector<RetrainingResult> results;
  try {
    for (const json& object : array) {
      RetrainingResult result;
      const auto rule = object.at("rule").get<std::string>();
      result.rule =
          rule == keyOf(LabellingRule::kSource) ? LabellingRule::kSource : LabellingRule::kTarget;
      object.at("promised").get_to(result.promised);
      object.at("pool").get_to(result.pool);
      object.at("tested").get_to(result.tested);
      object.at("labels").get_to(result.labels);
      object.at("right").get_to(result.right);
      object.at("before").get_to(result.accuracy.before);
      object.at("automatic").get_to(result.accuracy.automatic);
      object.at("random").get_to(result.accuracy.random);
      object.at("uncertain").get_to(result.accuracy.uncertain);
      results.push_back(result);
    }
  } catch (const json::exception&) {
    return fail(ErrorCode::kMalformed,
                source + ": is not a result of retraining; remove it to compute it again");
  }
  return results;
}

}  // namespace dubito
