// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/device.h"
#include "core/laplace/laplace_memory.h"
#include "core/laplace/posterior/factors_torch.h"
#include "core/laplace/posterior/label_directions_torch.h"
#include "core/laplace/posterior/last_layer_sums_torch.h"
#include "core/laplace/posterior/layer_sums_torch.h"
#include "core/methods/laplace/laplace_factors_torch.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/network/head_network_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/tapped_network_torch.h"

namespace dubito {
namespace {

// Maximum number of backward passes per item.
constexpr std::int64_t kMaxDirections = 20;
// Inputs and gradients of all layers held at a time: about the size of caches. Larger blocks are
// returned to the system after each step and zeroed again for the next.
constexpr std::int64_t kMaxBytes = std::int64_t{8} << 20;
// For networks where even one item is larger: several items share the additions to sums that exceed
// the caches.
constexpr std::int64_t kMaxLargePassBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMaxLargeItems = 8;
// These may use 1 / kBudgetDivisor of the memory budget.
constexpr std::int64_t kBudgetDivisor = 4;
// A pass over more items would sum too much in float32 (LayerSums).
constexpr std::int64_t kMaxItems = 64;
// Bytes of sums held by several threads together.
constexpr double kMaxShareBytes = 1e9;

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

std::vector<LayerSize> sizesOf(const TappedNetwork& network) {
  std::vector<LayerSize> sizes;
  for (const LayerNode& layer : network.layers()) {
    sizes.push_back(sizeOf(layer.weight_values, layer.bias_values));
  }
  return sizes;
}

Expected<FactorsOfItems> ofLastLayer(const Fit& fit) {
  auto head = HeadNetwork::of(fit.model, fit.network);
  if (!head) {
    return failWith(head);
  }
  const LaplaceStructure structure = parseLaplaceStructure(fit.settings.structure);
  const LayerSize size = sizeOf(head->weight(), head->bias());
  if (Status enough = checkLaplaceMemory(structure, size, fit.availableBytes()); !enough) {
    return failWith(enough);
  }
  LastLayerSums sums(structure, head->weight(), head->bias());
  const auto add = [&](const FittedBatch& fitted) -> Status {
    const auto outputs = head->run(fitted.inputs, fitted.indices, fit.dataset);
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
  auto items = forEachFittedBatch(fit.model, fit.dataset, "fitting", fit.options,
                                  fit.network.device, fit.context, add);
  if (!items) {
    return failWith(items);
  }
  std::vector<std::string> notes;
  if (const std::string& added = fit.model.audit().head.added; !added.empty()) {
    notes.push_back(
        fmt::format("Added to the last layer and treated as certain by its posterior: {}", added));
  }
  return FactorsOfItems{std::move(sums).finish(), *std::move(items), std::move(notes)};
}

/// Sums of one thread.
struct Share {
  std::vector<LayerSums> sums;
  LaplaceFactors counted;
};

/// Items that run through the network together.
struct Group {
  at::Tensor inputs;  ///< a copy, on the CPU or the device
  std::vector<std::int64_t> indices;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
};

/// Adds items to the sums of all layers. Groups of consecutive items are split between threads,
/// each with its own sums: the many small steps of a pass gain little from parallelism within them.
/// Groups may span batches, so that the sums do not depend on the batch size.
class AllLayersFit {
 public:
  AllLayersFit(const Fit& fit, TappedNetwork network);

  [[nodiscard]] Status add(const FittedBatch& fitted);
  /// Call after the last batch: adds the remaining items.
  [[nodiscard]] Status addRest();
  [[nodiscard]] LaplaceFactors finish() &&;
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  /// Determines the group size.
  Status measure(const FittedBatch& fitted);
  /// Appends the rows [begin, end) of a batch to the waiting items.
  void wait(const FittedBatch& fitted, std::int64_t begin, std::int64_t end);
  /// Adds the complete groups, each share on its own thread.
  Status addGroups();
  Status addGroup(const Group& group, Share& share) const;
  [[nodiscard]] bool samplesLabels() const { return fit_.model.audit().classes > kMaxDirections; }

  const Fit& fit_;
  TappedNetwork network_;
  std::vector<Share> shares_;
  std::int64_t items_together_ = 0;  ///< 0: not known yet
  std::vector<Group> waiting_;       ///< all but the last one are complete
  std::int64_t groups_done_ = 0;
};

AllLayersFit::AllLayersFit(const Fit& fit, TappedNetwork network)
    : fit_(fit), network_(std::move(network)) {
  const LaplaceStructure structure = parseLaplaceStructure(fit.settings.structure);
  double bytes = 0.0;
  for (const LayerNode& layer : network_.layers()) {
    bytes += laplaceBytes(structure, sizeOf(layer.weight_values, layer.bias_values));
  }
  const auto budget = static_cast<double>(fit.context.memory_budget_bytes);
  const double max_bytes =
      budget > 0.0 ? std::min(kMaxShareBytes, budget / kBudgetDivisor) : kMaxShareBytes;
  const bool is_small = bytes * fit.context.threads <= max_bytes;
  shares_.resize(is_small ? static_cast<std::size_t>(std::max(1, fit.context.threads)) : 1);
  // The sums alone take less than half of what a decomposition takes, which runs on the host.
  const bool on_device = fit.network.device.is_cuda() &&
                         bytes * static_cast<double>(shares_.size()) <=
                             static_cast<double>(freeDeviceMemory(fit.context.device.index));
  for (Share& share : shares_) {
    for (const LayerNode& layer : network_.layers()) {
      share.sums.emplace_back(
          structure, layer.name, layer.weight_values.detach().cpu(),
          layer.bias_values.defined() ? layer.bias_values.detach().cpu() : layer.bias_values,
          fit.settings.separate_bias, on_device ? fit.network.device : at::Device(at::kCPU));
    }
  }
}

Status AllLayersFit::measure(const FittedBatch& fitted) {
  const auto measured = TappedNetwork::of(fit_.model, withCopiedState(fit_.model, fit_.network));
  if (!measured) {
    return failWith(measured);
  }
  const auto pass =
      measured->run(fitted.inputs.slice(0, 0, 1), fitted.indices.first(1), fit_.dataset);
  if (!pass) {
    return failWith(pass);
  }
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < pass->inputs.size(); ++i) {
    bytes += static_cast<std::int64_t>(pass->inputs[i].nbytes() + 2 * pass->outputs[i].nbytes());
  }
  if (bytes < kMaxBytes) {
    items_together_ = std::clamp<std::int64_t>(kMaxBytes / bytes, 1, kMaxItems);
    return {};
  }
  const std::int64_t budget = fit_.context.memory_budget_bytes;
  const std::int64_t max_bytes =
      budget > 0 ? std::min(kMaxLargePassBytes, budget / kBudgetDivisor) : kMaxLargePassBytes;
  items_together_ = std::clamp<std::int64_t>(max_bytes / bytes, 1, kMaxLargeItems);
  return {};
}

void AllLayersFit::wait(const FittedBatch& fitted, std::int64_t begin, std::int64_t end) {
  const bool opens =
      waiting_.empty() || static_cast<std::int64_t>(waiting_.back().ids.size()) == items_together_;
  if (opens) {
    waiting_.emplace_back();
  }
  Group& group = waiting_.back();
  const at::Tensor rows = fitted.inputs.slice(0, begin, end);
  // A batch may have stayed on the CPU for lack of memory on the device.
  group.inputs = opens ? rows.clone() : at::cat({group.inputs, rows.to(group.inputs.device())});
  const auto append = [&](std::vector<std::int64_t>& to, std::span<const std::int64_t> from) {
    const auto part =
        from.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    to.insert(to.end(), part.begin(), part.end());
  };
  append(group.indices, fitted.indices);
  append(group.ids, fitted.ids);
  append(group.labels, fitted.labels);
}

Status AllLayersFit::addGroup(const Group& group, Share& share) const {
  const auto pass = network_.run(group.inputs, group.indices, fit_.dataset);
  if (!pass) {
    return failWith(pass);
  }
  const at::Tensor log_probs = at::log_softmax(pass->logits.detach().cpu().to(at::kDouble), 1);
  const at::Tensor directions =
      samplesLabels()
          ? sampledLabelDirections(log_probs.exp(), group.ids, kMaxDirections, fit_.context.seed)
          : labelDirections(log_probs.exp());
  for (std::size_t i = 0; i < share.sums.size(); ++i) {
    share.sums[i].addInputs(pass->inputs[i]);
  }
  std::vector<std::vector<at::Tensor>> waiting(share.sums.size());
  for (std::int64_t c = 0; c < directions.size(0); ++c) {
    const auto gradients = network_.gradients(*pass, directions[c]);
    if (!gradients) {
      return failWith(gradients);
    }
    for (std::size_t i = 0; i < share.sums.size(); ++i) {
      const at::Tensor& of_layer = (*gradients)[i];
      if (of_layer.size(2) == 1 && share.sums[i].takesAnyRows()) {
        waiting[i].push_back(of_layer);  // one product of many rows is faster than many of few
      } else {
        share.sums[i].addGradients(pass->inputs[i], of_layer);
      }
    }
    if (fit_.context.cancelRequested()) {
      return Status(cancelled());
    }
  }
  for (std::size_t i = 0; i < share.sums.size(); ++i) {
    if (!waiting[i].empty()) {
      share.sums[i].addGradients(pass->inputs[i], at::cat(waiting[i]));
    }
  }
  countItems(log_probs, group.labels, share.counted);
  return {};
}

Status AllLayersFit::addGroups() {
  std::vector<Status> results(shares_.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t number = 0; number < shares_.size(); ++number) {
      threads.emplace_back([&, number] {
        if (shares_.size() > 1) {
          at::set_num_threads(1);
        }
        try {
          // A group always belongs to the same share, whatever it waits with.
          for (std::size_t i = 0; i < waiting_.size() && results[number]; ++i) {
            if ((static_cast<std::size_t>(groups_done_) + i) % shares_.size() == number) {
              results[number] = addGroup(waiting_[i], shares_[number]);
            }
          }
        } catch (const std::exception& exception) {
          results[number] = fail(ErrorCode::kInternal, exception.what());
        }
      });
    }
  }
  at::set_num_threads(fit_.context.threads);
  groups_done_ += static_cast<std::int64_t>(waiting_.size());
  waiting_.clear();
  for (const Status& result : results) {
    if (!result) {
      return result;
    }
  }
  return {};
}

Status AllLayersFit::add(const FittedBatch& fitted) {
  if (items_together_ == 0) {
    if (Status measured = measure(fitted); !measured) {
      return measured;
    }
  }
  const auto count = static_cast<std::int64_t>(fitted.ids.size());
  for (std::int64_t begin = 0; begin < count;) {
    const std::int64_t missing =
        waiting_.empty() ? items_together_
                         : items_together_ - static_cast<std::int64_t>(waiting_.back().ids.size());
    const std::int64_t end = std::min(count, begin + (missing > 0 ? missing : items_together_));
    try {
      wait(fitted, begin, end);
    } catch (const std::exception& exception) {
      return networkFailure(fit_.model, fitted.inputs, exception);
    }
    begin = end;
  }
  if (static_cast<std::int64_t>(waiting_.back().ids.size()) == items_together_) {
    return addGroups();
  }
  Group incomplete = std::move(waiting_.back());
  waiting_.pop_back();
  Status added = addGroups();
  waiting_.push_back(std::move(incomplete));
  return added;
}

Status AllLayersFit::addRest() {
  return waiting_.empty() ? Status() : addGroups();
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
        fmt::format("Weights treated as certain: {}", fmt::join(network_.leftOut(), ", ")));
  }
  if (const auto unreached = network_.unreached(); !unreached.empty()) {
    notes.push_back(
        fmt::format("The logits have no gradient with respect to the outputs of {}: their weights "
                    "keep the prior",
                    fmt::join(unreached, ", ")));
  }
  if (samplesLabels()) {
    notes.push_back(
        fmt::format("The curvature was estimated from {} labels per item, drawn with seed {}, "
                    "because the network has more than {} classes",
                    kMaxDirections, fit_.context.seed, kMaxDirections));
  }
  return notes;
}

Expected<FactorsOfItems> ofAllLayers(const Fit& fit) {
  auto network = TappedNetwork::of(fit.model, fit.network);
  if (!network) {
    return failWith(network);
  }
  if (Status enough = checkAllLayersMemory(parseLaplaceStructure(fit.settings.structure),
                                           sizesOf(*network), fit.availableBytes());
      !enough) {
    return failWith(enough);
  }
  AllLayersFit sums(fit, *std::move(network));
  const auto add = [&](const FittedBatch& fitted) { return sums.add(fitted); };
  auto items = forEachFittedBatch(fit.model, fit.dataset, "fitting", fit.options,
                                  fit.network.device, fit.context, add);
  if (!items) {
    return failWith(items);
  }
  if (Status added = sums.addRest(); !added) {
    return failWith(added);
  }
  std::vector<std::string> notes = sums.notes();
  return FactorsOfItems{std::move(sums).finish(), *std::move(items), std::move(notes)};
}

}  // namespace

Expected<std::vector<LayerSize>> posteriorLayers(const Model& model, const NetworkOnDevice& network,
                                                 const LaplaceSettings& settings) {
  if (!settings.ofAllLayers()) {
    const auto head = HeadNetwork::of(model, network);
    return head ? Expected<std::vector<LayerSize>>({sizeOf(head->weight(), head->bias())})
                : Expected<std::vector<LayerSize>>(failWith(head));
  }
  const auto tapped = TappedNetwork::of(model, network);
  return tapped ? Expected<std::vector<LayerSize>>(sizesOf(*tapped))
                : Expected<std::vector<LayerSize>>(failWith(tapped));
}

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
