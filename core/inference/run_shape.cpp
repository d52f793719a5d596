// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/run_shape.h"

#include <algorithm>

#include "core/base/memory_budget.h"
#include "core/laplace/link.h"

namespace dubito {

KeptDraws keptDraws(const MethodOptions& method, const Model& model, std::int64_t items,
                    const PredictOptions& options, const RunContext& context) {
  const std::int64_t item_bytes =
      drawsOf(method) * model.audit().classes * static_cast<std::int64_t>(sizeof(float));
  if (item_bytes == 0) {
    return {};
  }
  std::int64_t limit = options.keep_samples_mb * kMegabyte;
  if (context.memory_budget_bytes > 0) {
    limit = std::min(limit, context.memory_budget_bytes / 2);
  }
  return {items <= limit / item_bytes, items * item_bytes, limit};
}

RunShape runShape(const MethodOptions& method, const Model& model, bool keeps_samples) {
  RunShape shape{.classes = model.audit().classes};
  const auto* const laplace = std::get_if<LaplaceOptions>(&method);
  if (laplace != nullptr && !laplace->drawsWeights()) {
    const std::string link = linkFor(laplace->link, shape.classes);
    shape.splits_entropy = linkSplitsEntropy(link);
    shape.gaussians = true;
    shape.alpha = linkGivesAlpha(link);
    shape.gauge = laplace->gauge != 0;
    return shape;
  }
  shape.draws = drawsOf(method);
  shape.keep_samples = keeps_samples;
  shape.keep_logits = shape.draws == 0 && model.audit().output == OutputKind::kLogits;
  return shape;
}

}  // namespace dubito
