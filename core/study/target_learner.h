// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/study/retraining_options.h"
#include "core/train/head/backbone_features.h"

namespace dubito {

/// Features of the readable, labelled items of a set.
struct ItemFeatures {
  BackboneFeatures features;
  std::map<std::int64_t, std::int64_t> row_of_position;
};

/// A network that is trained again, and what does not depend on the target: keep it for the next
/// one.
class RetrainedNetwork {
 public:
  /// `source`: labelled items that are always trained on, so that the source is not forgotten.
  RetrainedNetwork(ModelPtr model, DatasetPtr source)
      : model_(std::move(model)), source_(std::move(source)) {}

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] const Dataset& source() const { return *source_; }
  /// Computed by the first call. Errors of backboneFeatures; kCancelled.
  [[nodiscard]] Expected<const ItemFeatures*> sourceFeatures(RunContext& context);

 private:
  ModelPtr model_;
  DatasetPtr source_;
  std::optional<ItemFeatures> source_features_;
};

/// An item of the target and the class that it is taken for.
struct TargetLabel {
  std::int64_t position = 0;
  std::int64_t label = 0;

  auto operator<=>(const TargetLabel&) const = default;
};

/// Trains a network again on source items and some labels of the target.
class TargetLearner {
 public:
  virtual ~TargetLearner() = default;
  /// Classes that the network trained on `labelled` gives to the items at `tested` positions of
  /// the target. Errors of the training; kCancelled.
  [[nodiscard]] virtual Expected<std::vector<std::int64_t>> classesAfter(
      const std::vector<TargetLabel>& labelled, const std::vector<std::int64_t>& tested,
      RunContext& context) = 0;
};

/// The learner that `options` ask for; the references must outlive it. `source_positions`:
/// readable, labelled items of the source. For the last layer: a multinomial logistic regression on
/// its inputs, errors of backboneFeatures. For all layers: fineTune.
[[nodiscard]] Expected<std::unique_ptr<TargetLearner>> targetLearner(
    RetrainedNetwork& network, const Dataset& target, std::vector<std::int64_t> source_positions,
    const RetrainingOptions& options, RunContext& context);

}  // namespace dubito
