// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
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
// Inputs and gradients of all layers that exist at a time: about what caches hold. Larger ones go
// back to the system after each step, which clears them for the next.
constexpr std::int64_t kMostBytes = std::int64_t{8} << 20;
// A pass of more items sums too much in float32 (LayerSums).
constexpr std::int64_t kMostItems = 64;
// Sums that several threads may hold together.
constexpr double kMostBytesOfShares = 1e9;

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
    const auto logits = head->exactLogits(*outputs);
    if (!logits) {
      return failWith(logits);
    }
    sums.add(outputs->features, *logits, fitted.labels);
    return {};
  };
  auto items = passOver(fit.model, fit.dataset, "fitting", fit.options, fit.context, add);
  if (!items) {
    return failWith(items);
  }
  std::vector<std::string> notes;
  if (const std::string& added = fit.model.audit().head.added; !added.empty()) {
    notes.push_back(
        fmt::format("Added to the last layer, and taken as certain by its posterior: {}", added));
  }
  return FactorsOfItems{std::move(sums).finish(), *std::move(items), std::move(notes)};
}

/// What one thread has summed up.
struct Share {
  std::vector<LayerSums> sums;
  LaplaceFactors counted;
};

/// Adds batches to the sums of all layers. The rows of a batch are split between threads, each with
/// sums of its own: the many small steps of a pass gain little from threads inside them.
class AllLayersFit {
 public:
  AllLayersFit(const Fit& fit, TappedNetwork network);

  [[nodiscard]] Status add(const FittedBatch& fitted);
  [[nodiscard]] LaplaceFactors finish() &&;
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  /// Adds the rows [begin, end) of a batch.
  Status addRows(const FittedBatch& fitted, std::int64_t begin, std::int64_t end,
                 Share& share) const;
  /// Adds the parts of a batch that fall to the share `number`.
  Status addParts(const FittedBatch& fitted, std::size_t number);
  [[nodiscard]] bool samplesLabels() const { return fit_.model.audit().classes > kMostDirections; }

  const Fit& fit_;
  TappedNetwork network_;
  std::vector<Share> shares_;
  std::int64_t items_together_ = 0;  ///< 0: not known before the first
};

AllLayersFit::AllLayersFit(const Fit& fit, TappedNetwork network)
    : fit_(fit), network_(std::move(network)) {
  const LaplaceStructure structure = laplaceStructure(fit.settings.structure);
  double bytes = 0.0;
  for (const LayerNode& layer : network_.layers()) {
    bytes += laplaceBytes(structure, sizeOf(layer.weight_values, layer.bias_values));
  }
  const bool is_small = bytes * fit.context.threads <= kMostBytesOfShares;
  shares_.resize(is_small ? static_cast<std::size_t>(std::max(1, fit.context.threads)) : 1);
  for (Share& share : shares_) {
    for (const LayerNode& layer : network_.layers()) {
      share.sums.emplace_back(
          structure, layer.name, layer.weight_values.detach().cpu(),
          layer.bias_values.defined() ? layer.bias_values.detach().cpu() : layer.bias_values,
          fit.settings.separate_bias);
    }
  }
}

Status AllLayersFit::addRows(const FittedBatch& fitted, std::int64_t begin, std::int64_t end,
                             Share& share) const {
  const auto from = static_cast<std::size_t>(begin);
  const auto size = static_cast<std::size_t>(end - begin);
  const auto pass = network_.run(rowsOf(fitted.batch, begin, end), fit_.dataset);
  if (!pass) {
    return failWith(pass);
  }
  const at::Tensor log_probs = at::log_softmax(pass->logits.detach().cpu().to(at::kDouble), 1);
  const at::Tensor directions =
      samplesLabels() ? sampledLabelDirections(log_probs.exp(), fitted.ids.subspan(from, size),
                                               kMostDirections, fit_.context.seed)
                      : labelDirections(log_probs.exp());
  for (std::size_t i = 0; i < share.sums.size(); ++i) {
    share.sums[i].addInputs(pass->inputs[i]);
  }
  for (std::int64_t c = 0; c < directions.size(0); ++c) {
    const auto gradients = network_.gradients(*pass, directions[c]);
    if (!gradients) {
      return failWith(gradients);
    }
    for (std::size_t i = 0; i < share.sums.size(); ++i) {
      share.sums[i].addGradients(pass->inputs[i], (*gradients)[i]);
    }
    if (fit_.context.cancelRequested()) {
      return Status(cancelled());
    }
  }
  countItems(log_probs, fitted.labels.subspan(from, size), share.counted);
  return {};
}

Status AllLayersFit::addParts(const FittedBatch& fitted, std::size_t number) {
  const auto count = static_cast<std::int64_t>(fitted.ids.size());
  const std::int64_t stride = items_together_ * static_cast<std::int64_t>(shares_.size());
  for (std::int64_t first = static_cast<std::int64_t>(number) * items_together_; first < count;
       first += stride) {
    if (Status added =
            addRows(fitted, first, std::min(count, first + items_together_), shares_[number]);
        !added) {
      return added;
    }
  }
  return {};
}

Status AllLayersFit::add(const FittedBatch& fitted) {
  if (items_together_ == 0) {
    const auto pass = network_.run(rowsOf(fitted.batch, 0, 1), fit_.dataset);
    if (!pass) {
      return failWith(pass);
    }
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < pass->inputs.size(); ++i) {
      bytes += static_cast<std::int64_t>(pass->inputs[i].nbytes() + 2 * pass->outputs[i].nbytes());
    }
    items_together_ = std::clamp<std::int64_t>(kMostBytes / bytes, 1, kMostItems);
  }
  std::vector<Status> results(shares_.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t number = 0; number < shares_.size(); ++number) {
      threads.emplace_back([&, number] {
        if (shares_.size() > 1) {
          at::set_num_threads(1);
        }
        try {
          results[number] = addParts(fitted, number);
        } catch (const std::exception& exception) {
          results[number] = fail(ErrorCode::kInternal, exception.what());
        }
      });
    }
  }
  at::set_num_threads(fit_.context.threads);
  for (const Status& result : results) {
    if (!result) {
      return result;
    }
  }
  return {};
}

LaplaceFactors AllLayersFit::finish() && {
  Share all = std::move(shares_.at(0));
  for (std::size_t number = 1; number < shares_.size(); ++number) {
    const Share& share = shares_[number];
    for (std::size_t i = 0; i < all.sums.size(); ++i) {
      all.sums[i].merge(share.sums[i]);
    }
    all.counted.items += share.counted.items;
    all.counted.labelled_items += share.counted.labelled_items;
    all.counted.log_likelihood += share.counted.log_likelihood;
  }
  for (LayerSums& sums : all.sums) {
    all.counted.layers.push_back(std::move(sums).finish(all.counted.items));
  }
  return std::move(all.counted);
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
