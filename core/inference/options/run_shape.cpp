// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/options/run_shape.h"

#include "core/kernels/honesty.h"

namespace dubito {

std::int64_t RunShape::bytesPerItem() const {
  constexpr std::int64_t kFloat = sizeof(float);
  constexpr std::int64_t kWide = sizeof(double);
  // id, label, prediction, confidence, log_rest, entropy and its two parts; variation ratio,
  // variance
  const std::int64_t gauges = !gauge ? 0 : hasDivergence(classes) ? 3 : 2;
  const std::int64_t columns =
      6 + (draws > 0 || splits_entropy ? 2 : 0) + (draws > 1 ? 2 : 0) + gauges;
  const std::int64_t rows =
      1 + (keep_samples ? draws : 0) + (keep_logits ? 1 : 0) + (gaussians ? 2 : 0);
  return columns * kWide + classes * (rows * kFloat + (alpha ? kWide : 0));
}

RunShape shapeOfPasses(const Model& model, std::int64_t draws, bool keeps_samples) {
  return {.classes = model.audit().classes,
          .draws = draws,
          .keep_samples = keeps_samples,
          .keep_logits = draws == 0 && model.audit().output == OutputKind::kLogits};
}

}  // namespace dubito
