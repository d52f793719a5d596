// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/device.h"
#include "core/inference/head_network_torch.h"
#include "core/inference/laplace_factors_torch.h"
#include "core/inference/posterior_network_torch.h"
#include "core/inference/tapped_network_torch.h"
#include "core/laplace/factors_torch.h"
#include "core/laplace/label_directions_torch.h"
#include "core/laplace/laplace_memory.h"
#include "core/laplace/last_layer_sums_torch.h"
#include "core/laplace/layer_sums_torch.h"

namespace dubito {
namespace {

// As many passes backwards as an item costs at most.
constexpr std::int64_t kMostDirections = 20;
// Inputs and gradients of all layers that exist at a time: about what caches hold.
constexpr std::int64_t kMostItems = 64;
constexpr std::int64_t kMostBytes = std::int64_t{16} << 20;

struct Fit {
  const Model& model;
  const NetworkOnDevice& network;
  const LaplaceSettings& settings;
  const Dataset& dataset;
  const PredictOptions& options;
  RunContext& context;

  [[nodiscard]] std::int64_t availableBytes() const {
    return context.memory_budget_bytes > 0 ? context.memory_budget_bytes
                                           : queryDevices().memory_bytes;
  }
};

LayerSize sizeOf(const at::Tensor& weight, const at::Tensor& bias) {
  return {weight.size(0), weight.numel() / weight.size(0) + (bias.defined() ? 1 : 0)};
}

Expected<FactorsOfItems> ofLastLayer(const Fit& fit) {
  auto head = HeadNetwork::of(fit.model, fit.network);
  if (!head) {
    return failWith(head);
  }
  const LaplaceStructure structure = laplaceStructure(fit.settings.structure);
  const LayerSize size = sizeOf(head->weight(), head->bias());
  if (Status enough = checkLaplaceMemory(structure, size, fit.availableBytes()); !enough) {
    return failWith(enough);
  }
  LastLayerSums sums(structure, head->weight(), head->bias());
  const auto add = [&](const FittedBatch& fitted) -> Status {
    const auto outputs = head->run(fitted.batch, fit.dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    // The network's own logits are float32 sums, whose rounding depends on the batch.
    const at::Tensor logits =
        at::linear(outputs->features.cpu().to(at::kDouble), head->weight().to(at::kDouble),
                   head->bias().defined() ? head->bias().to(at::kDouble) : head->bias());
    sums.add(outputs->features, logits, fitted.labels);
    return {};
  };
  auto items = passOver(fit.model, fit.dataset, "fitting", fit.options, fit.context, add);
  if (!items) {
    return failWith(items);
  }
  return FactorsOfItems{std::move(sums).finish(), *std::move(items), {}};
}

/// Adds batches to the sums of all layers.
class AllLayersFit {
 public:
  AllLayersFit(const Fit& fit, TappedNetwork network);

  [[nodiscard]] Status add(const FittedBatch& fitted);
  [[nodiscard]] LaplaceFactors finish() &&;
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  Status addRows(const Batch& rows, std::span<const std::int64_t> ids,
                 std::span<const std::int64_t> labels);
  [[nodiscard]] bool samplesLabels() const { return fit_.model.audit().classes > kMostDirections; }

  const Fit& fit_;
  TappedNetwork network_;
  std::vector<LayerSums> sums_;
  LaplaceFactors factors_;
  std::int64_t items_together_ = 1;  ///< known after the first
};

AllLayersFit::AllLayersFit(const Fit& fit, TappedNetwork network)
    : fit_(fit), network_(std::move(network)) {
  for (const LayerNode& layer : network_.layers()) {
    sums_.emplace_back(
        laplaceStructure(fit.settings.structure), layer.name, layer.weight_values.detach().cpu(),
        layer.bias_values.defined() ? layer.bias_values.detach().cpu() : layer.bias_values,
        fit.settings.separate_bias);
  }
}

Status AllLayersFit::addRows(const Batch& rows, std::span<const std::int64_t> ids,
                             std::span<const std::int64_t> labels) {
  const auto pass = network_.run(rows, fit_.dataset);
  if (!pass) {
    return failWith(pass);
  }
  const at::Tensor log_probs = at::log_softmax(pass->logits.detach().cpu().to(at::kDouble), 1);
  const at::Tensor directions =
      samplesLabels()
          ? sampledLabelDirections(log_probs.exp(), ids, kMostDirections, fit_.context.seed)
          : labelDirections(log_probs.exp());
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i].addInputs(pass->inputs[i]);
    bytes += static_cast<std::int64_t>(pass->inputs[i].nbytes() + 2 * pass->outputs[i].nbytes());
  }
  for (std::int64_t c = 0; c < directions.size(0); ++c) {
    const auto gradients = network_.gradients(*pass, directions[c]);
    if (!gradients) {
      return failWith(gradients);
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      sums_[i].addGradients(pass->inputs[i], (*gradients)[i]);
    }
    if (fit_.context.cancelRequested()) {
      return Status(cancelled());
    }
  }
  countItems(log_probs, labels, factors_);
  const auto items = static_cast<std::int64_t>(ids.size());
  items_together_ = std::clamp<std::int64_t>(kMostBytes * items / bytes, 1, kMostItems);
  return {};
}

Status AllLayersFit::add(const FittedBatch& fitted) {
  const auto count = static_cast<std::int64_t>(fitted.ids.size());
  for (std::int64_t begin = 0; begin < count;) {
    const std::int64_t end = begin + std::min(count - begin, items_together_);
    const auto from = static_cast<std::size_t>(begin);
    const auto size = static_cast<std::size_t>(end - begin);
    if (Status added = addRows(rowsOf(fitted.batch, begin, end), fitted.ids.subspan(from, size),
                               fitted.labels.subspan(from, size));
        !added) {
      return added;
    }
    begin = end;
  }
  return {};
}

LaplaceFactors AllLayersFit::finish() && {
  for (LayerSums& sums : sums_) {
    factors_.layers.push_back(std::move(sums).finish(factors_.items));
  }
  return std::move(factors_);
}

std::vector<std::string> AllLayersFit::notes() const {
  std::vector<std::string> notes;
  if (!network_.leftOut().empty()) {
    notes.push_back(
        fmt::format("Weights that count as certain: {}", fmt::join(network_.leftOut(), ", ")));
  }
  if (const auto unreached = network_.unreached(); !unreached.empty()) {
    notes.push_back(
        fmt::format("The logits cannot be differentiated by the outputs of {}: their "
                    "weights keep the prior",
                    fmt::join(unreached, ", ")));
  }
  if (samplesLabels()) {
    notes.push_back(
        fmt::format("The curvature was estimated from {} labels an item, drawn with seed {}, for "
                    "the network has more than {} classes",
                    kMostDirections, fit_.context.seed, kMostDirections));
  }
  return notes;
}

Expected<FactorsOfItems> ofAllLayers(const Fit& fit) {
  auto network = TappedNetwork::of(fit.model, fit.network);
  if (!network) {
    return failWith(network);
  }
  std::vector<LayerSize> sizes;
  for (const LayerNode& layer : network->layers()) {
    sizes.push_back(sizeOf(layer.weight_values, layer.bias_values));
  }
  if (Status enough = checkAllLayersMemory(laplaceStructure(fit.settings.structure), sizes,
                                           fit.availableBytes());
      !enough) {
    return failWith(enough);
  }
  AllLayersFit sums(fit, *std::move(network));
  const auto add = [&](const FittedBatch& fitted) { return sums.add(fitted); };
  auto items = passOver(fit.model, fit.dataset, "fitting", fit.options, fit.context, add);
  if (!items) {
    return failWith(items);
  }
  std::vector<std::string> notes = sums.notes();
  return FactorsOfItems{std::move(sums).finish(), *std::move(items), std::move(notes)};
}

}  // namespace

Expected<FactorsOfItems> laplaceFactors(const Model& model, const NetworkOnDevice& network,
                                        const LaplaceSettings& settings, const Dataset& dataset,
                                        const PredictOptions& options, RunContext& context) {
  const Fit fit{model, network, settings, dataset, options, context};
  auto found = settings.ofAllLayers() ? ofAllLayers(fit) : ofLastLayer(fit);
  if (found && context.ranks) {
    averageOverRanks(found->factors, *context.ranks);
  }
  return found;
}

}  // namespace dubito
