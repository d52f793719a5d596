// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "core/laplace/laplace_settings.h"
#include "core/laplace/posterior/factors.h"

namespace dubito {

/// Accumulates the factors of one of several layers (theory, section 5, the `expand` convention). A
/// linear layer has L = 1 position, or the positions of a sequence. A convolution has the positions
/// of its output, with the unfolded patches as inputs. Sums over items are in double and are
/// divided once, at the end; only sums over the positions of a convolution within a batch are in
/// float32.
class LayerSums {
 public:
  /// `weight` is [O, ...], `bias` [O] or undefined; a bias counts as the last of D inputs. With
  /// `separate_bias`, curvature between the weights and the bias is ignored. The structure "full"
  /// is not supported. The sums are stored on `device`.
  LayerSums(LaplaceStructure structure, const std::string& name, const at::Tensor& weight,
            const at::Tensor& bias, bool separate_bias, at::Device device = at::kCPU);

  /// Adds the inputs [B, D, L] of B items, without the constant 1 for the bias. B is at most a few
  /// dozen.
  void addInputs(const at::Tensor& inputs);
  /// Adds the gradients [B, O, L] of the logits along one direction s, with respect to the layer's
  /// outputs. Call this for each direction of labelDirections(), sum s s^T = diag p - p p^T, or of
  /// sampledLabelDirections().
  void addGradients(const at::Tensor& inputs, const at::Tensor& gradients);

  /// Whether addGradients makes no use of the inputs, so that the rows of several directions may be
  /// added together.
  [[nodiscard]] bool takesAnyRows() const { return structure_ != LaplaceStructure::kDiagonal; }

  /// Adds the sums that `other` accumulated for the same layer over other items.
  void merge(const LayerSums& other);
  /// The averages over `items`; zeros if there are none.
  [[nodiscard]] LayerFactors finish(std::int64_t items) &&;

 private:
  LaplaceStructure structure_;
  LayerFactors layer_;
  bool separate_bias_;
  at::Device device_;
  // Only the tensors that the structure needs are defined. Only the upper half of a symmetric one
  // is valid.
  at::Tensor input_products_;
  at::Tensor output_products_;
  at::Tensor diagonal_;
};

/// `inputs` [B, D, L] with the constant 1 appended along D if there is a bias.
[[nodiscard]] at::Tensor withOnes(const at::Tensor& inputs, bool has_bias);

}  // namespace dubito
