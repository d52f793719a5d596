// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/data/items/dataset.h"
#include "core/inference/rows/run_builder.h"
#include "core/models/model.h"

namespace dubito {

/// What a network returned for the items of a batch, draw by draw, until it is summarised. Logits
/// in single precision (or less) stay in the tensors that they came in and go through the kernel
/// of summariseLogits, those of several draws on their GPU; other outputs become probabilities at
/// once.
class DrawnRows {
 public:
  /// Of the items at `indices`. All arguments outlive the object.
  DrawnRows(const Model& model, const Dataset& dataset, std::span<const std::int64_t> indices,
            std::int64_t draws);

  /// The network's rows [draws * items, K] of `items` items from position `begin` of the batch on,
  /// draw by draw from number `first_draw` on. Rows of another width, and other outputs than logits
  /// that are no distribution, are errors that name the item.
  [[nodiscard]] Status put(const at::Tensor& rows, std::int64_t first_draw, std::int64_t begin,
                           std::int64_t items);

  /// Whether a draw differs from the first one; all have been put.
  [[nodiscard]] bool differ() const;

  /// Adds the batch, whose draws have all been put, to `builder`. An error that names the item if a
  /// logit is not finite; kCancelled, and nothing is added.
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
  std::vector<const float*> draws_;  ///< [T] rows [B, K], in tensors_ or in together_
  std::vector<at::Tensor> tensors_;  ///< [draws * B, K] of whole batches
  at::Tensor together_;              ///< [T, B, K] if the batch comes in parts
  std::optional<int> cuda_device_;   ///< that holds the draws; nothing: the host
  bool are_logits_ = true;
};

}  // namespace dubito
