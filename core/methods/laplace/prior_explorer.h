// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"
#include "core/laplace/posterior/prior_search.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/models/model.h"

namespace dubito {

/// The fitted method with another prior precision. Its runs record tau as set manually, and the
/// evidence for this tau. `method` comes from prepareMethod.
[[nodiscard]] LaplaceOptions withPrior(const LaplaceOptions& method, double tau);

/// Items that have been run once through a network with a Laplace posterior. Changing the prior
/// precision or the link then only recomputes covariances and links, without another pass or fit.
/// Call only on the thread that runs torch.
class PriorExplorer {
 public:
  /// The items of `dataset` at `indices`. `method` comes from prepareMethod and yields Gaussians
  /// over logits, not weight draws. Errors of predict(); kMalformed if an item cannot be read.
  [[nodiscard]] static Expected<std::shared_ptr<PriorExplorer>> of(
      const ModelPtr& model, const Dataset& dataset, const std::vector<std::int64_t>& indices,
      const LaplaceOptions& method, const PredictOptions& options, RunContext& context);
  ~PriorExplorer();
  PriorExplorer(const PriorExplorer&) = delete;
  PriorExplorer& operator=(const PriorExplorer&) = delete;

  /// Returns `items`, a run on the explored items, with the probabilities and entropies that a new
  /// prediction with this prior, this link and the run's seed would give. All other columns are
  /// removed. kInvalidArgument if `items` contains other items or the link is unknown, kCancelled.
  [[nodiscard]] Expected<Run> runAt(const Run& items, double tau, const std::string& link,
                                    RunContext& context);

  /// NLL, ECE and evidence as functions of the prior precision, over the labelled items of `items`.
  [[nodiscard]] Expected<PriorLandscape> landscape(const Run& items, const std::string& link,
                                                   RunContext& context);

 private:
  struct Parts;
  explicit PriorExplorer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
