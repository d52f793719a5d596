// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/logit_gaussians.h"

namespace dubito {

/// A Gaussian over K logits, as a map from standard normal noise eps in R^R to logits: z = mean + A
/// eps. A is diag(deviation) or, if a factor is given, factor diag(stretch). Does not own its
/// memory.
struct LogitMap {
  std::int64_t classes = 0;          ///< K
  std::int64_t noise = 0;            ///< R
  const float* mean = nullptr;       ///< [K]
  const float* deviation = nullptr;  ///< [K], null if a factor is given
  const float* factor = nullptr;     ///< [K, R]
  const float* stretch = nullptr;    ///< [R], only with a factor
};

/// Converts Gaussians to maps, one row at a time. The maps point to memory of the mapper, so each
/// thread needs its own mapper. The Gaussians must have passed checkedShape and must outlive the
/// mapper.
class LogitMapper {
 public:
  explicit LogitMapper(const LogitGaussians& gaussians) : gaussians_(gaussians) {}

  /// The map of row `row`, valid until the next call.
  [[nodiscard]] LogitMap map(std::int64_t row);

 private:
  void mapDiagonal(const DiagonalCovariance& diagonal, std::int64_t row, LogitMap& map);
  void mapFull(const FullCovariance& full, std::int64_t row, LogitMap& map);
  void mapFactored(const FactoredCovariance& factored, std::int64_t row, LogitMap& map);

  const LogitGaussians& gaussians_;
  std::vector<float> roots_;   ///< deviations [K], or stretches [R]
  std::vector<float> factor_;  ///< [K, R] of a full covariance
};

}  // namespace dubito
