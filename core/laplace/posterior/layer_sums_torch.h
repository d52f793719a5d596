// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/factors.h"

namespace dubito {

/// Accumulates the factors of one layer of several (theory, section 5, the `expand` convention). A
/// linear layer has L = 1 position (or those of a sequence), a convolution those of its output,
/// with the unfolded patches as inputs. Sums over items are in double and divided once; only sums
/// over the positions of a convolution within a batch are in float32.
class LayerSums {
 public:
  /// `weight` is [O, ...], `bias` [O] or undefined; a bias counts as the last of D inputs. With
  /// `separate_bias` the weights and the bias share no curvature. Not for the structure "full". The
  /// sums are kept on `device`.
  LayerSums(LaplaceStructure structure, const std::string& name, const at::Tensor& weight,
            const at::Tensor& bias, bool separate_bias, at::Device device = at::kCPU);

  /// Adds the inputs [B, D, L] of B items, a few dozen at most, without the constant 1 of a bias.
  void addInputs(const at::Tensor& inputs);
  /// Adds the gradients [B, O, L] of the logits along a direction s with respect to the layer's
  /// outputs, for one of several directions with sum s s^T = diag p - p p^T, or an estimate of it.
  void addGradients(const at::Tensor& inputs, const at::Tensor& gradients);

  /// Adds the sums of other items for the same layer.
  void merge(const LayerSums& other);
  /// The averages over `items`; zeros if there are none.
  [[nodiscard]] LayerFactors finish(std::int64_t items) &&;

 private:
  LaplaceStructure structure_;
  LayerFactors layer_;
  bool separate_bias_;
  at::Device device_;
  // Only those that the structure needs are defined; of symmetric ones, only the upper half is
  // valid.
  at::Tensor input_products_;
  at::Tensor output_products_;
  at::Tensor diagonal_;
};

/// [B, D, L] with the constant 1 of a bias appended along D.
[[nodiscard]] at::Tensor withOnes(const at::Tensor& inputs, bool has_bias);

}  // namespace dubito
