// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// The contribution of one layer's weights to the covariance of the logits of a linearised network:
/// J P^-1 J^T, where J is the Jacobian of the logits with respect to these weights and P their
/// posterior precision. Layers are independent, so the covariance is the sum over layers.
class LayerCovariance {
 public:
  /// Results are computed in `type`, kFloat or kDouble. `layer` must outlive the object. The
  /// structure "full" is not supported.
  LayerCovariance(const LayerPosterior& layer, LaplaceStructure structure, at::ScalarType type);

  void setScale(const LaplaceScale& scale);

  /// Peak size, in bytes, of one item's Jacobian [K, O, D] in of(), which computes it in parts. 0
  /// for a single position, where no Jacobian is needed.
  [[nodiscard]] static std::int64_t jacobianBytes(std::int64_t classes, std::int64_t outputs,
                                                  std::int64_t inputs, std::int64_t positions);

  /// The covariance [B, K, K] from the layer's inputs [B, D, L], without the constant 1 for the
  /// bias, and the gradients [B, K, O, L] of every logit with respect to the layer's outputs.
  [[nodiscard]] at::Tensor of(const at::Tensor& inputs, const at::Tensor& gradients) const;

 private:
  const LayerPosterior& layer_;
  LaplaceStructure structure_;
  at::ScalarType type_;
  at::Tensor input_basis_;   ///< [D, D]; undefined for "diag"
  at::Tensor output_basis_;  ///< [O, O]; undefined for "diag"
  at::Tensor inverse_;       ///< 1 / precision [O, D]
  at::Tensor inverse_root_;  ///< 1 / sqrt(precision) [O, D]
};

}  // namespace dubito
