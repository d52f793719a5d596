// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/inference/head_network_torch.h"
#include "core/inference/predict.h"
#include "core/laplace/last_layer_gaussians_torch.h"
#include "core/laplace/prior_search.h"

namespace dubito {

/// Items on which a prior is chosen, run through the network once: another prior costs tables and
/// links, no pass.
class TuningSet {
 public:
  /// At most so many items, evenly spread over the set; a note says so.
  static constexpr std::int64_t kMostItems = 10'000;

  /// `posterior` outlives the object. Errors of HeadNetwork::run; kMalformed where no item can be
  /// read.
  [[nodiscard]] static Expected<TuningSet> of(const Model& model, const Dataset& dataset,
                                              const NetworkOnDevice& network,
                                              const LaplacePosterior& posterior,
                                              const PredictOptions& options, RunContext& context);

  [[nodiscard]] const std::vector<std::int64_t>& labels() const { return labels_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// Mean confidence of the network as it was trained.
  [[nodiscard]] double confidenceOfMap() const;
  /// The probabilities under a posterior of scale {n, tau} by the link of `settings` (or `link`).
  [[nodiscard]] Expected<Array<float>> probsAt(const LaplaceScale& scale, const std::string& link,
                                               std::int64_t samples, RunContext& context) const;

 private:
  explicit TuningSet(const LaplacePosterior& posterior) : posterior_(&posterior) {}

  const LaplacePosterior* posterior_;
  at::Tensor in_basis_;  ///< [N, D] float32: kept for all items
  at::Tensor logits_;    ///< [N, K]
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<std::string> notes_;
};

}  // namespace dubito
