// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"
#include "core/runs/run_builder.h"

namespace dubito {

/// Collects network outputs for the items of a batch, draw by draw, until they are summarised.
/// Logits in single precision or less are kept in their tensors (on the GPU, if several draws were
/// computed there) and summarised by summariseLogits; other outputs are converted to probabilities
/// immediately.
class DrawnRows {
 public:
  /// For the items at `indices`. All arguments must outlive the object.
  DrawnRows(const Model& model, const Dataset& dataset, std::span<const std::int64_t> indices,
            std::int64_t draws);

  /// Adds the network's rows [draws * items, K] for `items` items from position `begin` of the
  /// batch, grouped by draw, starting with draw `first_draw`. Errors if the rows do not have one
  /// column per class, or if probabilities are not a distribution (names the item).
  [[nodiscard]] Status put(const at::Tensor& rows, std::int64_t first_draw, std::int64_t begin,
                           std::int64_t items);

  /// Whether any draw differs from the first one. Call after all draws have been added.
  [[nodiscard]] bool differ() const;

  /// Adds the batch to `builder`. Call after all draws have been added. Error that names the item
  /// if a logit is not finite; if cancelled, nothing is added.
  [[nodiscard]] Status addTo(RunBuilder& builder, const RunContext& context) const;

  /// Probabilities [T, B, K] of all draws; errors of addTo.
  [[nodiscard]] Expected<Array<float>> probabilities(const RunContext& context) const;

 private:
  [[nodiscard]] std::int64_t itemCount() const {
    return static_cast<std::int64_t>(indices_.size());
  }
  [[nodiscard]] DrawRows view() const { return {draws_, itemCount(), classes_, cuda_device_}; }
  [[nodiscard]] Status checkFinite(const PredictiveSummary& summary) const;

  const Model& model_;
  const Dataset& dataset_;
  std::span<const std::int64_t> indices_;
  std::int64_t classes_ = 0;
  std::vector<const float*> draws_;  ///< [T] rows [B, K], in tensors_ or combined_
  std::vector<at::Tensor> tensors_;  ///< [draws * B, K] of whole batches
  at::Tensor combined_;              ///< [T, B, K] if the batch comes in parts
  std::optional<int> cuda_device_;   ///< device of the draws; nullopt: host memory
  bool are_logits_ = true;
};

}  // namespace dubito
