// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "core/kernels/logit_gaussians.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Converts the inputs of a last layer to Gaussians over its outputs. Caches what all items share;
/// changing the prior only recomputes a table.
class LastLayerGaussians {
 public:
  /// `posterior` must outlive the object. Throws std::invalid_argument unless it has exactly one
  /// layer.
  LastLayerGaussians(const LaplacePosterior& posterior, const LaplaceScale& scale);

  void setScale(const LaplaceScale& scale);

  /// Items per batch, so that intermediate results stay within 64 MB.
  [[nodiscard]] std::int64_t rowsPerCall() const;

  /// The features [B, Q] in the posterior's basis, in double. Compute them once for items that are
  /// evaluated under several priors.
  [[nodiscard]] at::Tensor inBasis(const at::Tensor& features) const;

  /// The per-item part of the covariances, from inBasis(), in double: the scales [B, K] or (damped)
  /// [B, 1] of factor(), the variances [B, K] of "diag", the covariances [B, K, K] of "full".
  [[nodiscard]] at::Tensor spread(const at::Tensor& in_basis) const;
  /// F [K, K] in double: Sigma_i = F diag(spread_i) F^T; undefined for "diag" and "full".
  [[nodiscard]] const at::Tensor& factor() const { return factor_; }

  /// Mean [B, K] and covariance of the logits of B items, from inBasis() and the network's logits.
  [[nodiscard]] LogitGaussians of(const at::Tensor& in_basis, const at::Tensor& logits) const;

 private:
  [[nodiscard]] at::Tensor fullCovariance(const at::Tensor& inputs) const;

  const LaplacePosterior& posterior_;
  /// 1 / precision: [K, D], [D] for "kron-damped", [P] for "full".
  at::Tensor inverse_;
  at::Tensor factor_;
  Array<float> factor_as_float_;
};

}  // namespace dubito
