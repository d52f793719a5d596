// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/kept_draws.h"

#include <algorithm>

#include "core/base/memory_budget.h"

namespace dubito {

KeptDraws keptDraws(const MethodOptions& method, const Model& model, std::int64_t items,
                    const PredictOptions& options, const RunContext& context) {
  const std::int64_t item_bytes =
      drawsOf(method) * model.audit().classes * static_cast<std::int64_t>(sizeof(float));
  if (item_bytes == 0) {
    return {};
  }
  std::int64_t limit = options.keep_samples_mb * kMebibyte;
  if (context.memory_budget_bytes > 0) {
    limit = std::min(limit, context.memory_budget_bytes / 2);
  }
  return {items <= limit / item_bytes, items * item_bytes, limit};
}

}  // namespace dubito
