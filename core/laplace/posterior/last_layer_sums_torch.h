// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/factors.h"

namespace dubito {

/// [phi; 1] in double: the inputs [B, Q] of a linear layer, followed by the constant 1 if it has a
/// bias.
[[nodiscard]] at::Tensor withBias(const at::Tensor& features, bool has_bias);

/// Accumulates the factors of a last layer over the items of a dataset. Everything is summed in
/// double and divided once, so that the result does not depend on the batch size.
class LastLayerSums {
 public:
  /// `weight` [K, Q] and `bias` [K] (undefined if none) of the layer.
  LastLayerSums(LaplaceStructure structure, const at::Tensor& weight, const at::Tensor& bias);

  /// Adds B items: the layer's inputs [B, Q], its outputs [B, K] and the labels [B], -1 if unknown.
  /// Sums on the device of the inputs; "full", which may be larger than its memory, on the CPU.
  void add(const at::Tensor& features, const at::Tensor& logits,
           std::span<const std::int64_t> labels);

  [[nodiscard]] std::int64_t itemCount() const { return factors_.items; }
  /// The averages over all added items; zeros if there are none.
  [[nodiscard]] LaplaceFactors finish() &&;

 private:
  void addFull(const at::Tensor& inputs, const at::Tensor& probs);

  LaplaceFactors factors_;
  // Only the tensors that the structure needs are defined.
  at::Tensor input_products_;
  at::Tensor output_products_;
  at::Tensor diagonal_;
  at::Tensor full_;  ///< [K, D, K, D]
};

}  // namespace dubito
