// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/train/fine_tuning/chosen_items.h"
#include "core/train/fine_tuning/fine_tuning_options.h"

namespace dubito {

/// A network all of whose layers were trained further.
class FineTunedNetwork {
 public:
  struct Impl;
  explicit FineTunedNetwork(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

  /// The class with the largest logit, without dropout, of each item at `positions` of `dataset`.
  /// kMalformed if one of them cannot be read; kUnsupported if its logits are not finite;
  /// kCancelled.
  [[nodiscard]] Expected<std::vector<std::int64_t>> classesOf(
      const Dataset& dataset, const std::vector<std::int64_t>& positions,
      RunContext& context) const;

 private:
  std::shared_ptr<const Impl> impl_;
};

/// Trains a copy of all layers of `model` further, from its weights, on the items of all parts,
/// which must be readable: cross entropy, SGD with the weight decay and schedule of train(), in an
/// order that depends on the seed, with the network's own dropout and batch normalisation in
/// training mode and without augmentation. If stopped early, the weights so far are used. The same
/// seed, options, number of threads and items in the same order give the same weights.
///
/// kUnsupported, with the reason, for networks that cannot be trained: quantised and frozen ones,
/// and those that do not return the logits of their classes as one tensor; also if the loss is no
/// longer finite. Throws std::invalid_argument for labels that the network has no class for.
/// kCancelled.
[[nodiscard]] Expected<FineTunedNetwork> fineTune(const Model& model,
                                                  std::vector<LabelledItems> items,
                                                  const FineTuningOptions& options,
                                                  RunContext& context);

}  // namespace dubito
