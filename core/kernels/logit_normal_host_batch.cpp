// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_normal_host_batch.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "core/kernels/logit_map.h"

namespace dubito {
namespace {

/// Transposes the factor [K, R] to [R, K].
void transpose(const LogitMap& map, float* transposed) {
  for (std::int64_t k = 0; k < map.classes; ++k) {
    for (std::int64_t r = 0; r < map.noise; ++r) {
      transposed[r * map.classes + k] = map.factor[k * map.noise + r];
    }
  }
}

}  // namespace

LogitNormalHostBatch::LogitNormalHostBatch(const LogitGaussians& gaussians) {
  batch_.mean = gaussians.mean.data();
  batch_.items = gaussians.mean.extent(0);
  batch_.classes = gaussians.mean.extent(1);
  batch_.factor_per_item = std::holds_alternative<FullCovariance>(gaussians.covariance);
  const auto* const factored = std::get_if<FactoredCovariance>(&gaussians.covariance);
  // An item's own factor has at most K columns; those beyond its rank stay 0.
  batch_.noise = factored == nullptr ? batch_.classes : factored->factor.extent(1);
  const bool has_factor = batch_.factor_per_item || factored != nullptr;
  roots_.assign(static_cast<std::size_t>(batch_.items * batch_.noise), 0.0F);
  const std::int64_t size = batch_.noise * batch_.classes;
  if (has_factor) {
    factor_.assign(static_cast<std::size_t>(batch_.factor_per_item ? batch_.items * size : size),
                   0.0F);
  }
  LogitMapper mapper(gaussians);
  for (std::int64_t row = 0; row < batch_.items; ++row) {
    const LogitMap map = mapper.map(row);
    std::copy_n(has_factor ? map.stretch : map.deviation, map.noise,
                roots_.data() + row * batch_.noise);
    if (batch_.factor_per_item || (has_factor && row == 0)) {
      transpose(map, factor_.data() + (batch_.factor_per_item ? row * size : 0));
    }
  }
  (has_factor ? batch_.stretch : batch_.deviation) = roots_.data();
  batch_.factor = has_factor ? factor_.data() : nullptr;
}

}  // namespace dubito
