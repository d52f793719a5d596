// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/models/keyed_sites_torch.h"
#include "core/models/model_torch.h"

namespace dubito {

Model::Model(ModelMetadata metadata, ModelAudit audit, std::string path, std::shared_ptr<Impl> impl)
    : metadata_(std::move(metadata)),
      audit_(std::move(audit)),
      path_(std::move(path)),
      impl_(std::move(impl)) {}

Model::~Model() = default;

bool drawsByDefault(const DropoutSite& site) {
  return site.refused.empty() && site.off.empty() && (site.is_noise || site.drop_rate > 0.0);
}

std::string dropRateText(const DropoutSite& site) {
  if (site.is_noise) {
    return "random numbers";
  }
  if (site.unit_rates.empty()) {
    return fmt::format("rate {:.4g}", site.drop_rate);
  }
  const auto [smallest, largest] = std::ranges::minmax(site.unit_rates);
  return fmt::format("rate {:.3g} on average, {:.3g} to {:.3g} over {} units", site.drop_rate,
                     smallest, largest, site.unit_rates.size());
}

std::vector<Field> LoadModelOptions::fields() {
  return {{{.name = "metadata",
            .label = "Metadata",
            .help = "JSON file to use instead of the model's own metadata"},
           &metadata_path},
          {{.name = "output_key",
            .label = "Output",
            .help = "which of several returned tensors has the class scores: its name or position"},
           &output_key}};
}

std::shared_ptr<torch::jit::Graph> deterministicGraph(torch::jit::Graph& prepared) {
  std::shared_ptr<torch::jit::Graph> graph = prepared.copy();
  keepSites(*graph, [](std::int64_t) { return false; });
  torch::jit::EliminateDeadCode(graph);
  return graph;
}

at::Tensor probabilitiesOf(const at::Tensor& rows, OutputKind output) {
  constexpr double kSumTolerance = 1e-3;
  const at::Tensor values = rows.detach().to(at::kCPU, at::kDouble);
  if (output == OutputKind::kLogits) {
    return at::exp(values - at::logsumexp(values, {1}, true));
  }
  const at::Tensor sums = values.sum(1, true);
  const at::Tensor refused =
      at::logical_or(at::abs(sums - 1.0) > kSumTolerance, (values < 0.0).any(1, true));
  return at::masked_fill(values / sums, refused, std::numeric_limits<double>::quiet_NaN());
}

std::uint64_t stateHash(const torch::jit::Module& module) {
  // FNV-1a over 8-byte words, with the size of each tensor.
  constexpr std::uint64_t kPrime = 0x100000001B3U;
  std::uint64_t hash = 0xCBF29CE484222325U;
  const auto add = [&hash](std::uint64_t word) { hash = (hash ^ word) * kPrime; };
  const auto addTensor = [&add](const at::Tensor& tensor) {
    const at::Tensor bytes = tensor.detach().cpu().contiguous();
    const std::size_t size = bytes.nbytes();
    const auto* const data = static_cast<const char*>(bytes.const_data_ptr());
    add(size);
    for (std::size_t offset = 0; offset < size; offset += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + offset, std::min(sizeof(word), size - offset));
      add(word);
    }
  };
  for (const at::Tensor& parameter : module.parameters()) {
    addTensor(parameter);
  }
  for (const at::Tensor& buffer : module.buffers()) {
    addTensor(buffer);
  }
  return hash;
}

}  // namespace dubito
