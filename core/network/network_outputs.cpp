// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network_outputs.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/memory_budget.h"
#include "core/network/network_batch_torch.h"
#include "core/network/network_draws_torch.h"

namespace dubito {

Expected<NetworkOutputs> networkOutputs(const Model& model, const Array<float>& inputs,
                                        std::int64_t id, const McDropoutOptions* dropout,
                                        RunContext& context) {
  DropoutPlan plan;
  if (dropout != nullptr) {
    auto planned = planDropout(model, *dropout);
    if (!planned) {
      return failWith(planned);
    }
    plan = *std::move(planned);
  }
  const std::int64_t items = inputs.extent(0);
  const std::int64_t draws = dropout == nullptr ? 1 : dropout->draws;
  const std::int64_t classes = model.audit().classes;
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(draws * items * classes);
  if (context.memory_budget_bytes > 0 && bytes > static_cast<double>(context.memory_budget_bytes)) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{} draws at {} places take {}, more than the {} allowed; use fewer "
                            "draws or allow more memory",
                            draws, items, bytesText(bytes),
                            bytesText(static_cast<double>(context.memory_budget_bytes))),
                {setting("draws"), setting("memory")});
  }
  Batch batch;
  batch.inputs = inputs;
  batch.indices.resize(static_cast<std::size_t>(items));
  std::iota(batch.indices.begin(), batch.indices.end(), std::int64_t{0});
  NetworkOutputs outputs;
  outputs.are_logits = model.audit().output == OutputKind::kLogits;
  outputs.rows = Array<float>::zeros({draws, items, classes});
  const Status done = forEachDraw(
      model, networkInput(batch, model),
      std::vector<std::int64_t>(static_cast<std::size_t>(items), id), plan, {0, draws}, context,
      [&](const at::Tensor& rows, std::int64_t first) -> Status {
        if (Status checked = checkRows(rows, model, items); !checked) {
          return checked;
        }
        const at::Tensor floats = rows.detach().to(at::Device(at::kCPU), at::kFloat).contiguous();
        std::copy_n(floats.const_data_ptr<float>(), floats.numel(),
                    outputs.rows.mutableData() + first * items * classes);
        return {};
      });
  if (!done) {
    return failWith(done);
  }
  return outputs;
}

}  // namespace dubito
