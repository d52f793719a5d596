// SPDX-License-Identifier: GPL-3.0-or-later
// How the results for an item depend on the batch it is in, without dropout.
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "core/models/model_torch.h"
#include "core/models/own_state_torch.h"
#include "core/models/probe_torch.h"
#include "core/models/program/torch_reason.h"

namespace dubito {
namespace {

/// Another order of float32 sums changes probabilities by about 1e-7 in most networks.
constexpr double kBatchNoise = 1e-5;
/// In deep networks, whose layers enlarge it, up to this much: RegNet-Y with random weights 3e-4.
constexpr double kMaxBatchNoise = 1e-3;
/// Largest influence of the other items on a result that does not depend on them.
constexpr double kNoInfluence = 1e-6;

double largestDifference(const at::Tensor& probs, const at::Tensor& others) {
  return at::abs(probs - others).max().item().toDouble();
}

}  // namespace

BatchBehaviour checkBatchDependence(const torch::jit::Module& module, GraphRunner& deterministic,
                                    const Probe& probe, OutputKind output,
                                    const std::vector<std::string>& batch_ops, bool has_memory) {
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
      behaviour.max_prob_difference =
          std::max(behaviour.max_prob_difference,
                   largestDifference(comparedProbabilities(row, probe, output),
                                     batch_probs.slice(0, i, i + 1)));
    } catch (const std::exception& exception) {
      behaviour.depends_on_batch = true;
      behaviour.single_item_fails = true;
      behaviour.reason = "a single item fails: " + torchReason(exception);
      return behaviour;
    }
  }
  // Other kernels run on a single item, so that its sums round differently. What the other items
  // add to a result shows among copies of the item, in a batch of the same size.
  const auto ignores_others = [&](std::int64_t i) {
    const at::Tensor copies = probe.inputs.slice(0, i, i + 1).expand_as(probe.inputs).contiguous();
    const at::Tensor among_copies = comparedProbabilities(pass(copies), probe, output);
    return largestDifference(among_copies.slice(0, i, i + 1), batch_probs.slice(0, i, i + 1)) <=
           kNoInfluence;
  };
  const auto compared = std::views::iota(std::int64_t{0}, itemsToCompare(probe));
  const auto is_rounding = [&] {
    return batch_ops.empty() && behaviour.max_prob_difference <= kMaxBatchNoise &&
           std::ranges::all_of(compared, ignores_others);
  };
  behaviour.depends_on_batch = behaviour.max_prob_difference > kBatchNoise && !is_rounding();
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
      return {.min = kPair};
    }
  } catch (const std::exception&) {
    // Not on a pair either.
  }
  return {.min = kProbeItems, .max = kProbeItems};
}

}  // namespace dubito
