// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/train/head/fit_head.h"
#include "core/train/head/fit_head_network.h"
#include "core/train/head/head_options.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {

/// Results of trainHead.
struct HeadReport {
  std::int64_t items = 0;             ///< trained on
  std::int64_t validation_items = 0;  ///< held out
  std::int64_t unlabelled = 0;        ///< skipped because they have no label
  std::int64_t unreadable = 0;        ///< skipped because they cannot be read
  std::int64_t from_cache = 0;        ///< items whose features were kept from an earlier call
  std::int64_t features = 0;          ///< inputs of the layer
  std::int64_t classes = 0;
  std::vector<std::string> added_classes;  ///< that the backbone does not have
  double l2 = 0.0;                         ///< the penalty that was given or chosen
  std::int64_t iterations = 0;
  bool converged = false;
  std::vector<HeadEpoch> epochs;  ///< of a head that HeadOptions::isNetwork()
  std::int64_t best_epoch = 0;    ///< the one that was kept
  HeadQuality train;
  std::optional<HeadQuality> validation;
  std::optional<RightCount> held_out;  ///< if HeadOptions::folds is set
  double feature_seconds = 0.0;
  double training_seconds = 0.0;
  double saving_seconds = 0.0;
  std::vector<std::string> notes;
};

/// Trains a new head of `backbone` on the labelled items of `dataset`: on the inputs of its last
/// layer, which are computed once and kept (FeatureCache). A single layer without dropout is a
/// multinomial logistic regression (fitHead) that takes the place of the last layer, while
/// everything else is unchanged. Any other head (fitHeadNetwork) follows the backbone in
/// inference mode, without the backbone's own dropout, so that only the head is stochastic. Writes
/// a TorchScript file to `output_path` (as a temporary file, then renamed), with the preprocessing
/// of the backbone and the classes of headClasses(). The file is opened again before it gets its
/// name, and its outputs are compared with those of the head. The same seed, threads and data give
/// the same file. `batch` is the number of items per pass through the backbone. If stopped early,
/// the best head so far is written.
///
/// Errors: those of headPlace() or checkBackbone(), headClasses(), fitHeadNetwork() and
/// backboneFeatures(), OOD and unlabelled datasets, no items left to train on, a folder that cannot
/// be written; kCancelled, without a file.
[[nodiscard]] Expected<HeadReport> trainHead(const Model& backbone, const Dataset& dataset,
                                             const HeadOptions& options, std::int64_t batch,
                                             const std::string& output_path, RunContext& context,
                                             const HeadEpochEvent& on_epoch = {});

}  // namespace dubito
