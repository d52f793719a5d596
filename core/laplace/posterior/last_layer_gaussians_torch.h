// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

#include "core/kernels/logit_gaussians.h"
#include "core/laplace/posterior/device_constant_torch.h"
#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// Converts the inputs of a last layer to Gaussians over its outputs. Caches everything that does
/// not depend on the item; changing the prior recomputes only a table. Works in double on the
/// device of the features, except for "full", which works on the CPU.
class LastLayerGaussians {
 public:
  /// `posterior` must outlive the object. Throws std::invalid_argument unless it has exactly one
  /// layer.
  LastLayerGaussians(const LaplacePosterior& posterior, const LaplaceScale& scale);

  void setScale(const LaplaceScale& scale);

  /// Number of items per call of spread() or of() that keeps intermediate results within 64 MB.
  [[nodiscard]] std::int64_t rowsPerCall() const;

  /// The features [B, Q] in the posterior's basis, in double. Compute them once for items that are
  /// evaluated under several priors.
  [[nodiscard]] at::Tensor inBasis(const at::Tensor& features) const;

  /// The per-item part of the covariances, computed from the result of inBasis(), in double: scales
  /// of factor(), [B, K] for "kron" and [B, 1] for "kron-damped"; variances [B, K] for "diag";
  /// covariances [B, K, K] for "full".
  [[nodiscard]] at::Tensor spread(const at::Tensor& in_basis) const;
  /// F [K, K] in double: Sigma_i = F diag(spread_i) F^T; undefined for "diag" and "full".
  [[nodiscard]] const at::Tensor& factor() const { return factor_; }

  /// Means [B, K] and covariances of the logits of B items, from the result of inBasis() and the
  /// network's logits.
  [[nodiscard]] LogitGaussians of(const at::Tensor& in_basis, const at::Tensor& logits) const;

 private:
  [[nodiscard]] at::Tensor fullCovariance(const at::Tensor& inputs) const;

  const LaplacePosterior& posterior_;
  /// 1 / precision: [K, D], [D] for "kron-damped", [P] for "full".
  DeviceConstant inverse_;
  std::optional<DeviceConstant> input_basis_;  ///< [D, D], of the structures that rotate
  at::Tensor factor_;
  Array<float> factor_as_float_;
};

}  // namespace dubito
