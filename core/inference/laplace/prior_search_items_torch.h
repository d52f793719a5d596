// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/laplace/posterior_network_torch.h"
#include "core/inference/networks/rows_that_fit.h"
#include "core/inference/options/method_options.h"
#include "core/inference/options/predict_options.h"
#include "core/laplace/posterior/prior_search.h"

namespace dubito {

/// Items on which a prior is chosen, run through the network once: another prior costs covariances
/// and links, no pass.
class PriorSearchItems {
 public:
  /// At most so many items, evenly spread over the set, and not more bytes than that of what is
  /// kept of them; a note says so.
  static constexpr std::int64_t kMostItems = 10'000;
  static constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;

  /// `posterior` outlives the object. Errors of makePosteriorNetwork and prepare(); kMalformed
  /// where no item can be read.
  [[nodiscard]] static Expected<PriorSearchItems> of(const Model& model, const Dataset& dataset,
                                                     const NetworkOnDevice& network,
                                                     const LaplacePosterior& posterior,
                                                     const PredictOptions& options,
                                                     RunContext& context);
  /// The items at `indices`, all of them.
  [[nodiscard]] static Expected<PriorSearchItems> ofItems(
      const Model& model, const Dataset& dataset, const NetworkOnDevice& network,
      const LaplacePosterior& posterior, const std::vector<std::int64_t>& indices,
      const PredictOptions& options, RunContext& context);

  [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }
  [[nodiscard]] const std::vector<std::int64_t>& labels() const { return labels_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// Mean confidence of the network as it was trained.
  [[nodiscard]] double confidenceOfMap() const;
  /// The probabilities under a posterior of that scale by that link.
  [[nodiscard]] Expected<Array<float>> probsAt(const LaplaceScale& scale, const std::string& link,
                                               std::int64_t samples, RunContext& context);

 private:
  PriorSearchItems(const Model& model, std::unique_ptr<PosteriorNetwork> network)
      : network_(std::move(network)), rows_(!model.audit().batch.depends_on_batch) {}

  /// Passes the items at `indices` through the network, as many as fit.
  Status prepare(const Model& model, const Dataset& dataset,
                 const std::vector<std::int64_t>& indices, const PredictOptions& options,
                 RunContext& context);

  std::unique_ptr<PosteriorNetwork> network_;
  RowsThatFit rows_;
  std::vector<PosteriorNetwork::Items> parts_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<std::string> notes_;
};

}  // namespace dubito
