// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How a prediction is computed; does not affect the result (except for models whose outputs depend
/// on the other items of the batch).
struct PredictOptions {
  /// Items per batch.
  std::int64_t batch = 500;
  /// Maximum size of stored samples [T, N, K] in MiB; larger ones are not stored, but recomputed
  /// from their keys on demand.
  std::int64_t keep_samples_mb = 1024;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
