// SPDX-License-Identifier: GPL-3.0-or-later
// How the results for an item depend on the batch it is in, without dropout.
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/models/model_torch.h"
#include "core/models/own_state_torch.h"
#include "core/models/probe_torch.h"
#include "core/models/program/torch_reason.h"

namespace dubito {

BatchBehaviour checkBatchDependence(const torch::jit::Module& module, GraphRunner& deterministic,
                                    const Probe& probe, OutputKind output,
                                    const std::vector<std::string>& batch_ops, bool has_memory) {
  // Another order of float32 sums changes results by about 1e-7.
  constexpr double kNoise = 1e-5;
  BatchBehaviour behaviour;
  const auto pass = [&](const at::Tensor& items) {
    const torch::jit::Module fresh =
        has_memory ? withOwnState(module, *deterministic.graph()) : module;
    return deterministic.run(deterministicInputs(fresh, items)).at(0).toTensor();
  };
  const at::Tensor batch_probs =
      comparedProbabilities(has_memory ? pass(probe.inputs) : probe.rows, probe, output);
  for (std::int64_t i = 0; i < itemsToCompare(probe); ++i) {
    const at::Tensor item = probe.inputs.slice(0, i, i + 1);
    try {
      const at::Tensor row = pass(item);
      TORCH_CHECK(row.sizes().slice(1) == probe.rows.sizes().slice(1) && row.size(0) == 1,
                  "it returns [", row.sizes(), "]");
      const double difference =
          at::abs(comparedProbabilities(row, probe, output) - batch_probs.slice(0, i, i + 1))
              .max()
              .item()
              .toDouble();
      behaviour.max_prob_difference = std::max(behaviour.max_prob_difference, difference);
    } catch (const std::exception& exception) {
      behaviour.depends_on_batch = true;
      behaviour.single_item_fails = true;
      behaviour.reason = "a single item fails: " + torchReason(exception);
      return behaviour;
    }
  }
  behaviour.depends_on_batch = behaviour.max_prob_difference > kNoise;
  if (behaviour.depends_on_batch) {
    behaviour.reason =
        batch_ops.empty() ? "unknown operator" : fmt::format("{}", fmt::join(batch_ops, ", "));
  }
  return behaviour;
}

ItemsPerPass itemsThatRun(const torch::jit::Module& module, GraphRunner& unlimited,
                          const Probe& probe, bool has_memory) {
  constexpr std::int64_t kPair = 2;
  const torch::jit::Module own = has_memory ? withOwnState(module, *unlimited.graph()) : module;
  try {
    const at::Tensor rows =
        unlimited.run(deterministicInputs(own, probe.inputs.slice(0, 0, kPair))).at(0).toTensor();
    if (rows.dim() == probe.rows.dim() && rows.size(0) == kPair) {
      return {.least = kPair};
    }
  } catch (const std::exception&) {
    // Not on a pair either.
  }
  return {.least = kProbeItems, .most = kProbeItems};
}

}  // namespace dubito
