// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/predict.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/memory_budget.h"
#include "core/predict/prediction_loop_torch.h"

namespace dubito {
namespace {

/// Stores the single part of an unsplit run.
class MemorySink : public PartSink {
 public:
  [[nodiscard]] bool isDue(std::int64_t /*items*/,
                           std::chrono::steady_clock::time_point /*start_time*/) const override {
    return false;
  }
  [[nodiscard]] Status take(ComputedPart computed) override {
    part = std::move(computed);
    return {};
  }

  ComputedPart part;
};

}  // namespace

Expected<Run> predict(const Model& model, const Dataset& dataset, const MethodOptions& method,
                      const PredictOptions& options, RunContext& context) {
  const auto prepared = PreparedPrediction::of(model, dataset, method, options, context);
  if (!prepared) {
    return failWith(prepared);
  }
  const std::int64_t bytes = dataset.size() * (*prepared)->bytesPerItem();
  if (context.memory_budget_bytes > 0 && bytes > context.memory_budget_bytes) {
    return fail(
        ErrorCode::kOutOfMemory,
        fmt::format("{}: the results of {} items take {}, more than the {} allowed; select a part "
                    "of the items, write them to a file with dubito-cli predict, or allow "
                    "more memory",
                    dataset.info().name, dataset.size(), bytesText(static_cast<double>(bytes)),
                    bytesText(static_cast<double>(context.memory_budget_bytes))),
        {datasetSetting("items", "0:N"), setting("memory")});
  }
  MemorySink sink;
  PredictionLoop loop(**prepared);
  const auto completed = loop.run(0, dataset.size(), dataset.size(), sink);
  if (!completed) {
    return failWith(completed);
  }
  auto meta = std::move(loop).finish(sink.part.findings, !*completed);
  if (!meta) {
    return failWith(meta);
  }
  sink.part.run.meta = *std::move(meta);
  return std::move(sink.part.run);
}

}  // namespace dubito
