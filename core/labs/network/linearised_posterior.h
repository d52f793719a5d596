// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Gaussian posterior of the parameters of a model with one output that is linear around their MAP,
/// N(q_MAP, H^-1) with H = J^T J / noise_std^2 + tau I (theory, section 5). tau can be changed
/// without another decomposition.
class LinearisedPosterior {
 public:
  /// Largest min(N, P) that is decomposed, which takes about a second, and largest N P.
  static constexpr std::int64_t kMaxRank = 1000;
  static constexpr std::int64_t kMaxJacobian = 20'000'000;

  /// kInvalidArgument, with the remedy, if N `items` and P `parameters` are too many.
  [[nodiscard]] static Status checkSize(std::int64_t items, std::int64_t parameters);

  /// Decomposes J [N, P] with P `parameters`, the Jacobian of the outputs at the data.
  LinearisedPosterior(std::span<const double> jacobian, std::int64_t parameters, double noise_std,
                      double tau);

  void setTau(double tau) { tau_ = tau; }
  [[nodiscard]] double tau() const { return tau_; }
  /// log det H.
  [[nodiscard]] double logDeterminant() const;
  /// j^T H^-1 j for the Jacobian j [P] of one output: the exact variance of the linear model.
  [[nodiscard]] double variance(std::span<const double> jacobian) const;
  /// H^-1/2 z for standard normals z [P]: a draw of q - q_MAP. Written over `z`.
  void draw(std::span<double> z) const;
  /// The terms of the log evidence log p(D | q_MAP) - tau/2 |q_MAP|^2 + P/2 log tau - 1/2 log det H
  /// that depend on tau.
  [[nodiscard]] double evidenceTerms(double squared_norm) const;
  /// Sets tau to the maximum of the evidence over [1e-6, 1e6]; `squared_norm` is |q_MAP|^2.
  void maximiseEvidence(double squared_norm);

 private:
  std::int64_t parameters_ = 0;
  double tau_ = 1.0;
  /// Eigenvalues of J^T J / noise_std^2 [r] and their eigenvectors [r, P]. All others are 0.
  std::vector<double> eigenvalues_;
  std::vector<double> eigenvectors_;
};

}  // namespace dubito
