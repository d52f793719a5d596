// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "core/inference/networks/network_batch_torch.h"
#include "core/inference/networks/stochastic_network_torch.h"
#include "core/inference/rows/drawn_rows_torch.h"
#include "core/inference/runs/predict.h"

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
  torch::jit::getProfilingMode() = false;
  at::set_num_threads(context.threads);
  const std::array<std::int64_t, 1> indices = {index};
  const auto batch = loadBatch(dataset, indices, model.metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  if (batch->indices.empty()) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}, item {}: cannot be read ({}); check the file", dataset.info().name,
                            dataset.itemName(index), batch->unreadable_reasons.at(0)));
  }
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  const auto plan = planDropout(model, *dropout);
  if (!plan) {
    return failWith(plan);
  }
  const at::Tensor x = networkInput(*batch, model);
  DrawnRows drawn(model, dataset, indices, count);
  try {
    StochasticNetwork stochastic(*network, *plan, context.seed, canSharePass(model.audit()));
    if (!model.audit().unrepeatable.empty()) {
      stochastic.disableCut();
    }
    stochastic.setBatch(x, {dataset.ids()[static_cast<std::size_t>(index)]});
    stochastic.verify();
    const std::int64_t together = stochastic.drawsPerPass();
    for (std::int64_t done = 0; done < count; done += together) {
      const std::int64_t now = std::min(together, count - done);
      if (Status put = drawn.put(stochastic.draw(first + done, now), done, 0, 1); !put) {
        return failWith(put);
      }
      if (context.step("recomputing draws", done + now, count) == Step::kCancel) {
        return cancelled();
      }
    }
  } catch (const std::exception& exception) {
    return networkFailure(model, x, exception);
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
