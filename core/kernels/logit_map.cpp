// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_map.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <variant>

#include "core/base/overloaded.h"
#include "core/kernels/semidefinite_factor.h"

namespace dubito {
namespace {

float rootOf(float variance) {
  return std::sqrt(variance < 0.0F ? 0.0F : variance);
}

}  // namespace

LogitMap LogitMapper::map(std::int64_t row) {
  LogitMap map;
  map.classes = gaussians_.mean.extent(1);
  map.mean = gaussians_.mean.row(row).data();
  std::visit(
      Overloaded{[&](const DiagonalCovariance& diagonal) { mapDiagonal(diagonal, row, map); },
                 [&](const FullCovariance& full) { mapFull(full, row, map); },
                 [&](const FactoredCovariance& factored) { mapFactored(factored, row, map); }},
      gaussians_.covariance);
  return map;
}

void LogitMapper::mapDiagonal(const DiagonalCovariance& diagonal, std::int64_t row, LogitMap& map) {
  const std::span<const float> variance = diagonal.variance.row(row);
  roots_.resize(variance.size());
  std::transform(variance.begin(), variance.end(), roots_.begin(), rootOf);
  map.noise = map.classes;
  map.deviation = roots_.data();
}

void LogitMapper::mapFull(const FullCovariance& full, std::int64_t row, LogitMap& map) {
  const SemidefiniteFactor factor = factorSemidefinite(full.covariance.row(row), map.classes);
  factor_.assign(factor.matrix.begin(), factor.matrix.end());
  roots_.assign(static_cast<std::size_t>(factor.rank), 1.0F);
  map.noise = factor.rank;
  map.factor = factor_.data();
  map.stretch = roots_.data();
}

void LogitMapper::mapFactored(const FactoredCovariance& factored, std::int64_t row, LogitMap& map) {
  const std::span<const float> scales = factored.scale.row(row);
  map.noise = factored.factor.extent(1);
  // In case all columns share one scale.
  roots_.assign(static_cast<std::size_t>(map.noise), rootOf(scales[0]));
  std::transform(scales.begin(), scales.end(), roots_.begin(), rootOf);
  map.factor = factored.factor.data();
  map.stretch = roots_.data();
}

}  // namespace dubito
