// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How a prediction is computed; does not affect the result (except for models that depend on batch
/// mates).
struct PredictOptions {
  /// Items per batch.
  std::int64_t batch = 500;
  /// Samples [T, N, K] are stored up to this size; beyond it they are recomputed by key on demand.
  std::int64_t keep_samples_mb = 1024;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
