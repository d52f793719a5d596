// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// Gaussian posterior of the weights [K, Q] of a last linear layer around their MAP (theory,
/// section 5): precision H = sum_n (diag p_n - p_n p_n^T) (x) phi_n phi_n^T + tau I, or its
/// diagonal, or N G (x) A + tau I with A = E[phi phi^T] and G = E[diag p - p p^T]. In double.
class LastLayerPosterior {
 public:
  /// `features` [N, Q] (with a 1 for the bias) and `probs` [N, K] at the data; tau > 0. Throws
  /// std::invalid_argument for the damped structure.
  LastLayerPosterior(LaplaceStructure structure, const Array<double>& features,
                     const Array<double>& probs, double tau);
  ~LastLayerPosterior();
  LastLayerPosterior(LastLayerPosterior&&) noexcept;

  /// Covariance [K, K] of the logits of an input with features `phi` [Q].
  void covariance(std::span<const double> phi, std::span<double> result) const;
  /// H^-1/2 z for standard normals z [K, Q]: a draw of W - W_MAP. Written over `z`.
  void draw(std::span<double> z) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The same with a full covariance of all P parameters, for a network that is linear in its
/// parameters around the MAP: H = sum_n J_n^T (diag p_n - p_n p_n^T) J_n + tau I.
class AllLayersPosterior {
 public:
  /// Largest P; the decomposition then takes about a second.
  static constexpr std::int64_t kMaxParameters = 1500;

  /// Zero data: H = tau I. `parameters` is P.
  AllLayersPosterior(std::int64_t parameters, double tau);
  ~AllLayersPosterior();
  AllLayersPosterior(AllLayersPosterior&&) noexcept;

  /// Adds items with `jacobians` [n, K, P] and `probs` [n, K] to H.
  void add(const Array<double>& jacobians, const Array<double>& probs);
  /// Decomposes H; call once, after the last add().
  void decompose();
  /// Covariances [n, K, K] of the logits of inputs with `jacobians` [n, K, P].
  [[nodiscard]] Array<double> covariances(const Array<double>& jacobians) const;
  /// H^-1/2 z for standard normals z [P]. Written over `z`.
  void draw(std::span<double> z) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dubito
