// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "core/kernels/logit_gaussians.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Turns the inputs of a last layer into Gaussians over its outputs. Holds what is the same for all
/// items; the prior can be changed at the cost of a table.
class LastLayerGaussians {
 public:
  /// `posterior` has one layer and outlives the object. Throws std::invalid_argument for another
  /// number of layers.
  LastLayerGaussians(const LaplacePosterior& posterior, const LaplaceScale& scale);

  void setScale(const LaplaceScale& scale);

  /// How many items to take together, so that what is made of them on the way stays within 64 MB.
  [[nodiscard]] std::int64_t rowsTogether() const;

  /// The features [B, Q] where the posterior has its axes, in double: to be made once for items
  /// that are looked at under several priors.
  [[nodiscard]] at::Tensor inBasis(const at::Tensor& features) const;

  /// What differs between the items' covariances, from inBasis(), in double: the scales [B, K] or
  /// (damped) [B, 1] of factor(), the variances [B, K] of "diag", the covariances [B, K, K] of
  /// "full".
  [[nodiscard]] at::Tensor spread(const at::Tensor& in_basis) const;
  /// F [K, K] in double: Sigma_i = F diag(spread_i) F^T; undefined for "diag" and "full".
  [[nodiscard]] const at::Tensor& factor() const { return factor_; }

  /// Mean [B, K] and covariance of the logits of B items, from inBasis() and the network's logits.
  [[nodiscard]] LogitGaussians of(const at::Tensor& in_basis, const at::Tensor& logits) const;

 private:
  [[nodiscard]] at::Tensor fullCovariance(const at::Tensor& inputs) const;

  const LaplacePosterior& posterior_;
  /// 1 / precision: [K, D], [D] where it is damped, [P] where it is full.
  at::Tensor inverse_;
  at::Tensor factor_;
  Array<float> factor_as_float_;
};

}  // namespace dubito
