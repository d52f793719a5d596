// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labels/decision.h"
#include "core/methods/predict_options.h"
#include "core/review/learning_rounds.h"

namespace dubito {

/// Fewer labels are not learned from: what is held out of them would say nothing.
inline constexpr std::int64_t kFewestLabels = 10;

/// The folder next to a label store for what was learned from it: NAME.learned.
[[nodiscard]] std::string learnedFolder(const std::string& store);
/// The file of its rounds.
[[nodiscard]] std::string roundsFile(const std::string& store);

/// Of the rounds, those of the network whose last layer `model` has or got, by number of labels.
[[nodiscard]] std::vector<LearningRound> roundsOf(const std::vector<LearningRound>& rounds,
                                                  const Model& model);

/// Removes the decisions about items that `model` has learned from, if it was made by learning from
/// this store: they say nothing about how often it is right. Errors of readLearningRounds.
[[nodiscard]] Status removeLearned(const std::string& store, const Model* model,
                                   std::vector<RecordedDecision>& journal);

/// Labelled items to learn from.
struct LearningRequest {
  AnalysisPtr analysis;             ///< with a model, and items that are open
  std::string store;                ///< place of the labels
  std::vector<ModelPtr> open = {};  ///< models that need not be loaded again
  PredictOptions predict = {};
  std::string feature_folder = {};  ///< see HeadOptions::feature_cache
};

/// A network that has learned from labels, and what it says about the items.
struct LearnedRun {
  AnalysisPtr before;    ///< the run under review
  ModelPtr backbone;     ///< the network whose last layer was replaced
  AnalysisPtr analysis;  ///< the same items; its model is the new network
  LearningRound round;
};

/// Trains a new last layer on the classes that persons have given to items (trainHead), and repeats
/// the run with it; methods that need a fit are replaced by MAP. A network that was itself made by
/// learning is learned anew from the one before, whose features are kept. Output k is the class
/// with the id k of the store. Saves the network and the round in learnedFolder(). Blocking; for
/// the thread of torch.
///
/// kInvalidArgument for fewer than kFewestLabels labels or two classes; kUnsupported for a network
/// without a linear last layer; errors of the label store, of trainHead and of computeAnalysis;
/// kCancelled. After an error there is no new file.
[[nodiscard]] Expected<LearnedRun> learnedRun(const LearningRequest& request, RunContext& context);

}  // namespace dubito
