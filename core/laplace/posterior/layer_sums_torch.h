// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/factors.h"

namespace dubito {

/// Sums that make the factors of one layer of many (theory, section 5, the `expand` convention). A
/// linear layer has L = 1 positions (or those of a sequence), a convolution those of its output,
/// whose inputs are the unfolded patches. Sums over items are carried in double and divided once;
/// only within a batch are those over the positions of a convolution float32.
class LayerSums {
 public:
  /// `weight` is [O, ...] with D elements a row; `bias` [O], or undefined. With `separate_bias` the
  /// weights and the bias of a layer have no curvature in common. Not for the structure "full". The
  /// sums are kept on `device`.
  LayerSums(LaplaceStructure structure, const std::string& name, const at::Tensor& weight,
            const at::Tensor& bias, bool separate_bias, at::Device device = at::kCPU);

  /// Adds the inputs of B items, a few dozen at most, [B, D, L], without the constant 1 of a bias.
  void addInputs(const at::Tensor& inputs);
  /// Adds the gradients [B, O, L] of the items' outputs in one direction s of several with
  /// sum s s^T = diag p - p p^T, or an estimate of it.
  void addGradients(const at::Tensor& inputs, const at::Tensor& gradients);

  /// Adds the sums of other items for the same layer.
  void merge(const LayerSums& other);
  /// Averages over `items`; zeros for none.
  [[nodiscard]] LayerFactors finish(std::int64_t items) &&;

 private:
  LaplaceStructure structure_;
  LayerFactors layer_;
  bool separate_bias_;
  at::Device device_;
  // Only those that the structure needs are defined; of the symmetric ones the upper half counts.
  at::Tensor input_products_;
  at::Tensor output_products_;
  at::Tensor diagonal_;
};

/// [B, D, L] with the constant 1 of a bias as the last of D.
[[nodiscard]] at::Tensor withOnes(const at::Tensor& inputs, bool has_bias);

}  // namespace dubito
