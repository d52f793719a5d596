// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <variant>

#include "core/base/array.h"

namespace dubito {

/// Independent logits: Sigma_i = diag(variance_i).
struct DiagonalCovariance {
  Array<float> variance;  ///< [N, K], >= 0
};

/// A full covariance matrix for each item.
struct FullCovariance {
  Array<float> covariance;  ///< [N, K, K], symmetric, positive semi-definite
};

/// One factor for all items, scaled per item: Sigma_i = F diag(scale_i) F^T. For the Kronecker
/// posterior of a last layer, F = Ug (theory, section 5); the damped form of that posterior has one
/// scale per item.
struct FactoredCovariance {
  Array<float> factor;  ///< F [K, R]
  Array<float> scale;   ///< >= 0; [N, R], or [N, 1] if an item has the same scale for all columns
};

using LogitCovariance = std::variant<DiagonalCovariance, FullCovariance, FactoredCovariance>;

/// Gaussians over the logits of N items (theory, section 1).
struct LogitGaussians {
  Array<float> mean;  ///< [N, K]
  LogitCovariance covariance;
};

}  // namespace dubito
