// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/laplace/posterior/prior_search.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/network/rows_that_fit.h"

namespace dubito {

/// Items for choosing a prior. They run through the network only once; evaluating another prior
/// then only recomputes covariances and links.
class PriorSearchItems {
 public:
  /// Maximum number of items, and maximum number of bytes stored for them. Larger datasets are
  /// represented by evenly spread items, and a note is added.
  static constexpr std::int64_t kMaxItems = 10'000;
  static constexpr std::int64_t kMaxBytes = std::int64_t{1} << 30;

  /// `posterior` must outlive the object. Errors of makePosteriorNetwork and prepare(); kMalformed
  /// if no item can be read.
  [[nodiscard]] static Expected<PriorSearchItems> of(const Model& model, const Dataset& dataset,
                                                     const NetworkOnDevice& network,
                                                     const LaplacePosterior& posterior,
                                                     const PredictOptions& options,
                                                     RunContext& context);
  /// As `of`, but for all items at `indices`, whatever their number.
  [[nodiscard]] static Expected<PriorSearchItems> ofItems(
      const Model& model, const Dataset& dataset, const NetworkOnDevice& network,
      const LaplacePosterior& posterior, const std::vector<std::int64_t>& indices,
      const PredictOptions& options, RunContext& context);

  [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }
  [[nodiscard]] const std::vector<std::int64_t>& labels() const { return labels_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// Mean confidence of the trained network (MAP).
  [[nodiscard]] double mapConfidence() const;
  /// Probabilities [N, K] under the posterior with this scale and link; `samples` is the number of
  /// draws of the link "mc".
  [[nodiscard]] Expected<Array<float>> probsAt(const LaplaceScale& scale, const std::string& link,
                                               std::int64_t samples, RunContext& context);

 private:
  PriorSearchItems(const Model& model, c10::Device device,
                   std::unique_ptr<PosteriorNetwork> network)
      : device_(device),
        network_(std::move(network)),
        rows_(!model.audit().batch.depends_on_batch) {}

  /// Runs the items at `indices` through the network, as many at a time as fit.
  Status prepare(const Model& model, const Dataset& dataset,
                 const std::vector<std::int64_t>& indices, const PredictOptions& options,
                 RunContext& context);

  c10::Device device_;
  std::unique_ptr<PosteriorNetwork> network_;
  RowsThatFit rows_;
  std::vector<PosteriorNetwork::Items> parts_;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<std::string> notes_;
};

}  // namespace dubito
