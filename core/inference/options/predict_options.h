// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How a prediction is carried out; none of it changes the result (but for models that depend on
/// batch mates).
struct PredictOptions {
  /// Items per batch.
  std::int64_t batch = 500;
  /// Samples [T, N, K] are kept up to this size, else they are recomputed by key when asked for.
  std::int64_t keep_samples_mb = 1024;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
