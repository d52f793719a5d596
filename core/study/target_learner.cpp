// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/target_learner.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/train/fine_tuning/fine_tune.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {
namespace {

Expected<ItemFeatures> featuresOf(const Model& model, const Dataset& dataset, RunContext& context) {
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
  ItemFeatures table{*std::move(features), {}};
  for (std::size_t row = 0; row < table.features.items.size(); ++row) {
    table.row_of_position[table.features.items[row]] = static_cast<std::int64_t>(row);
  }
  return table;
}

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

class LastLayerLearner : public TargetLearner {
 public:
  LastLayerLearner(RetrainedNetwork& network, const ItemFeatures& source, ItemFeatures target,
                   const Dataset& target_data, double l2)
      : network_(network),
        source_(source),
        target_(std::move(target)),
        target_data_(target_data),
        l2_(l2) {}

  Expected<std::vector<std::int64_t>> classesAfter(const std::vector<TargetLabel>& labelled,
                                                   const std::vector<std::int64_t>& tested,
                                                   RunContext& context) override {
    const auto items = trainingItems(labelled);
    if (!items) {
      return failWith(items);
    }
    const auto fitted = fitSoftmaxRegression(
        *items, {}, {.classes = network_.model().audit().classes, .l2 = l2_}, context);
    if (!fitted) {
      return failWith(fitted);
    }
    std::vector<std::int64_t> classes;
    for (const std::int64_t position : tested) {
      const auto features = featuresAt(position);
      if (!features) {
        return failWith(features);
      }
      classes.push_back(predictedClass(fitted->head, *features));
    }
    return classes;
  }

 private:
  [[nodiscard]] Expected<std::span<const float>> featuresAt(std::int64_t position) const {
    const auto row = target_.row_of_position.find(position);
    if (row == target_.row_of_position.end()) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: {} could be read when the network predicted it; do not change "
                              "the data during a study",
                              target_data_.info().name, target_data_.itemName(position)));
    }
    return target_.features.features.row(row->second);
  }

  [[nodiscard]] Expected<LabelledFeatures> trainingItems(
      const std::vector<TargetLabel>& labelled) const {
    LabelledFeatures items;
    std::vector<float> values;
    const auto add = [&](std::span<const float> features, std::int64_t label) {
      values.insert(values.end(), features.begin(), features.end());
      items.labels.push_back(label);
    };
    for (std::size_t row = 0; row < source_.features.items.size(); ++row) {
      const auto item = static_cast<std::size_t>(source_.features.items[row]);
      add(source_.features.features.row(static_cast<std::int64_t>(row)),
          network_.source().labels()[item]);
    }
    for (const TargetLabel& item : labelled) {
      const auto features = featuresAt(item.position);
      if (!features) {
        return failWith(features);
      }
      add(*features, item.label);
    }
    items.features =
        Array<float>::fromVector({items.size(), target_.features.features.extent(1)}, values);
    return items;
  }

  RetrainedNetwork& network_;
  const ItemFeatures& source_;
  ItemFeatures target_;
  const Dataset& target_data_;
  double l2_;
};

class AllLayersLearner : public TargetLearner {
 public:
  AllLayersLearner(const RetrainedNetwork& network, const Dataset& target,
                   std::vector<std::int64_t> source_positions, const FineTuningOptions& options)
      : network_(network), target_(target), options_(options) {
    source_.dataset = &network.source();
    source_.positions = std::move(source_positions);
    for (const std::int64_t position : source_.positions) {
      source_.labels.push_back(network.source().labels()[static_cast<std::size_t>(position)]);
    }
  }

  Expected<std::vector<std::int64_t>> classesAfter(const std::vector<TargetLabel>& labelled,
                                                   const std::vector<std::int64_t>& tested,
                                                   RunContext& context) override {
    LabelledItems of_target{.dataset = &target_, .positions = {}, .labels = {}};
    for (const TargetLabel& item : labelled) {
      of_target.positions.push_back(item.position);
      of_target.labels.push_back(item.label);
    }
    const auto tuned = fineTune(network_.model(), {source_, of_target}, options_, context);
    return tuned ? tuned->classesOf(target_, tested, context) : failWith(tuned);
  }

 private:
  const RetrainedNetwork& network_;
  const Dataset& target_;
  FineTuningOptions options_;
  LabelledItems source_;
};

}  // namespace

Expected<const ItemFeatures*> RetrainedNetwork::sourceFeatures(RunContext& context) {
  if (!source_features_) {
    auto features = featuresOf(*model_, *source_, context);
    if (!features) {
      return failWith(features);
    }
    source_features_ = *std::move(features);
  }
  return &*source_features_;
}

Expected<std::unique_ptr<TargetLearner>> targetLearner(RetrainedNetwork& network,
                                                       const Dataset& target,
                                                       std::vector<std::int64_t> source_positions,
                                                       const RetrainingOptions& options,
                                                       RunContext& context) {
  if (options.layers == "all") {
    return std::make_unique<AllLayersLearner>(network, target, std::move(source_positions),
                                              options.fine_tuning);
  }
  auto of_target = featuresOf(network.model(), target, context);
  const auto of_source = of_target ? network.sourceFeatures(context) : failWith(of_target);
  if (!of_source) {
    return failWith(of_source);
  }
  return std::make_unique<LastLayerLearner>(network, **of_source, *std::move(of_target), target,
                                            options.l2);
}

}  // namespace dubito
