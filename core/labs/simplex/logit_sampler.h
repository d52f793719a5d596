// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/measures/laplace_bridge.h"

namespace dubito {

/// Keyed samples of softmax(z), z ~ N(mean, covariance) over K logits, in double. Sample i of a
/// stream depends on nothing but the Gaussian, the seed, the stream and i (up to rounding).
class LogitSampler {
 public:
  /// The covariance must be symmetric and positive semi-definite (see checkGaussian); negative
  /// pivots due to rounding count as 0.
  LogitSampler(const LogitGaussian& gaussian, std::uint64_t seed);

  [[nodiscard]] std::size_t classes() const { return mean_.size(); }
  /// Writes samples first, first + 1, ... to `probs` [rows, K], row-major.
  void draw(std::uint64_t stream, std::int64_t first, std::span<double> probs) const;

 private:
  std::vector<double> mean_;
  /// Standard deviations [K] of independent logits; else empty.
  std::vector<double> deviation_;
  /// [K, K], row-major, A with A A' = covariance; empty for independent logits.
  std::vector<double> factor_;
  std::uint64_t seed_;
};

}  // namespace dubito
