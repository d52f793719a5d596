// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/study/labelling.h"
#include "core/study/retraining_options.h"
#include "core/study/target_learner.h"

namespace dubito {

/// Accuracy on the test half of the target.
struct RetrainedAccuracy {
  double before = 0.0;     ///< of the network as it was
  double automatic = 0.0;  ///< after the labels that the rule gave
  double random = 0.0;     ///< after as many true labels of random items
  double uncertain = 0.0;  ///< after as many true labels of the most uncertain items
};

/// Effect of retraining for one rule and guarantee.
struct RetrainingResult {
  LabellingRule rule = LabellingRule::kSource;
  double guaranteed = 0.0;
  std::int64_t pool = 0;    ///< items that may be labelled
  std::int64_t tested = 0;  ///< the other items of the target
  std::int64_t labels = 0;  ///< given by the rule, and bought for comparison
  std::int64_t right = 0;   ///< of the rule's
  RetrainedAccuracy accuracy = {};
};

/// Inputs of retrain() for one target.
struct RetrainingInputs {
  RetrainedNetwork& network;  ///< its source is the dataset of LabellingRuns::validation
  const Dataset& target;      ///< of LabellingRuns::target
  LabellingRuns runs;
};

/// Halves of the target by a hash of the ids: 1 for items that may be labelled, 0 for those on
/// which accuracy is measured.
[[nodiscard]] std::vector<std::uint8_t> poolOf(std::span<const std::int64_t> ids);

/// Lets the threshold rules (source, target) label one half of the target, trains the network again
/// on the validation items and these labels, and measures accuracy on the other half; then with the
/// same number of true labels of random and of the most uncertain items. With a budget, the surest
/// of the automatic labels are used; of equally sure items, those with the smallest hash of their
/// id. Equal selections are trained on once. Without labels, nothing is trained and the accuracies
/// are those before. The seed is that of the context. Errors of TargetLearner; kCancelled.
[[nodiscard]] Expected<std::vector<RetrainingResult>> retrain(const RetrainingInputs& inputs,
                                                              const LabellingOptions& labelling,
                                                              const RetrainingOptions& options,
                                                              RunContext& context);

[[nodiscard]] nlohmann::json toJson(const std::vector<RetrainingResult>& results);
/// kMalformed, naming `source`.
[[nodiscard]] Expected<std::vector<RetrainingResult>> retrainingFromJson(
    const nlohmann::json& array, const std::string& source);

}  // namespace dubito
