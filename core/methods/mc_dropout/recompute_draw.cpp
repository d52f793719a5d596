// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/mc_dropout/recompute_draw.h"

#include <fmt/format.h>

#include <stdexcept>

#include "core/data/images/load_item.h"
#include "core/network/network_batch_torch.h"
#include "core/network/network_draws_torch.h"
#include "core/predict/drawn_rows_torch.h"

namespace dubito {
namespace {

/// Probabilities of the draws [first, first + count) of one item, [count, K].
Expected<Array<float>> drawsOfItem(const Model& model, const Dataset& dataset, std::int64_t index,
                                   const MethodOptions& method, std::int64_t first,
                                   std::int64_t count, RunContext& context) {
  const McDropoutOptions* const dropout = dropoutOf(method);
  if (dropout == nullptr) {
    throw std::invalid_argument("recomputeDraws: draws of " + methodName(method) +
                                " cannot be recomputed");
  }
  if (Status checked = checkMethod(method); !checked) {
    return failWith(checked);
  }
  if (index < 0 || index >= dataset.size()) {
    throw std::out_of_range("recomputeDraws: no such item");
  }
  const auto batch = loadItem(dataset, index, model.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  const auto plan = planDropout(model, *dropout);
  if (!plan) {
    return failWith(plan);
  }
  DrawnRows drawn(model, dataset, batch->indices, count);
  const Status done = forEachDraw(
      model, networkInput(*batch, model), {dataset.ids()[static_cast<std::size_t>(index)]}, *plan,
      {first, count}, context, [&drawn](const at::Tensor& rows, std::int64_t begin) {
        return drawn.put(rows, begin, 0, 1);
      });
  if (!done) {
    return failWith(done);
  }
  const auto samples = drawn.probabilities(context);
  if (!samples) {
    return failWith(samples);
  }
  return samples->reshaped({count, model.audit().classes});
}

}  // namespace

Expected<Array<float>> recomputeDraws(const Model& model, const Dataset& dataset,
                                      std::int64_t index, const MethodOptions& method,
                                      RunContext& context) {
  return drawsOfItem(model, dataset, index, method, 0, drawsOf(method), context);
}

Expected<std::vector<float>> recomputeDraw(const Model& model, const Dataset& dataset,
                                           std::int64_t index, const MethodOptions& method,
                                           std::int64_t draw, RunContext& context) {
  const auto rows = drawsOfItem(model, dataset, index, method, draw, 1, context);
  if (!rows) {
    return failWith(rows);
  }
  return std::vector<float>(rows->values().begin(), rows->values().end());
}

}  // namespace dubito
