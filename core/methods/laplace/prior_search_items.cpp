// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/laplace/link.h"
#include "core/methods/laplace/posterior_walk_torch.h"
#include "core/methods/laplace/prior_search_items_torch.h"
#include "core/network/batch_size_torch.h"
#include "core/network/network_batches_torch.h"
#include "core/predict/model_labels.h"

namespace dubito {
namespace {

constexpr std::int64_t kItemsToProbe = 8;
// What is kept of the items may use 1 / kTuningBudgetDivisor of the memory budget.
constexpr std::int64_t kTuningBudgetDivisor = 4;

/// `options` with a batch size that fits into memory.
Expected<PredictOptions> fitting(const Model& model, const Dataset& dataset,
                                 const NetworkOnDevice& network, const PredictOptions& options,
                                 const RunContext& context) {
  const auto size = batchSizeForFit(model, dataset, network, options.batch, context);
  if (!size) {
    return failWith(size);
  }
  PredictOptions sized = options;
  sized.batch = size->items;
  return sized;
}

std::vector<std::int64_t> evenlySpread(std::int64_t size, std::int64_t max_items) {
  const std::int64_t count = std::min(size, max_items);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < count; ++i) {
    indices.push_back(i * size / count);
  }
  return indices;
}

}  // namespace

Expected<PriorSearchItems> PriorSearchItems::of(const Model& model, const Dataset& dataset,
                                                const NetworkOnDevice& network,
                                                const LaplacePosterior& posterior,
                                                const PredictOptions& options,
                                                RunContext& context) {
  auto made = makePosteriorNetwork(model, network, posterior, {}, context.memory_budget_bytes);
  if (!made) {
    return failWith(made);
  }
  const auto sized = fitting(model, dataset, network, options, context);
  if (!sized) {
    return failWith(sized);
  }
  std::unique_ptr<PosteriorNetwork> posterior_network = *std::move(made);
  std::int64_t max_items = std::min(dataset.size(), kMaxItems);
  if (posterior.all_layers) {
    // The first readable item shows how much is kept per item.
    PriorSearchItems probe(model, network.device, std::move(posterior_network));
    if (Status probed = probe.prepare(model, dataset, evenlySpread(dataset.size(), kItemsToProbe),
                                      *sized, context);
        !probed) {
      return failWith(probed);
    }
    if (!probe.parts_.empty()) {
      const std::int64_t bytes = probe.parts_[0].bytes() / probe.parts_[0].logits.size(0);
      const std::int64_t budget = context.memory_budget_bytes;
      const std::int64_t kept =
          budget > 0 ? std::min(kMaxBytes, budget / kTuningBudgetDivisor) : kMaxBytes;
      max_items = std::clamp<std::int64_t>(kept / bytes, 1, max_items);
    }
    posterior_network = std::move(probe.network_);
  }
  PriorSearchItems set(model, network.device, std::move(posterior_network));
  if (Status prepared =
          set.prepare(model, dataset, evenlySpread(dataset.size(), max_items), *sized, context);
      !prepared) {
    return failWith(prepared);
  }
  if (set.ids_.empty()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read; check the files",
                            dataset.info().name, dataset.size()));
  }
  if (max_items < dataset.size()) {
    set.notes_.push_back(
        fmt::format("The prior was chosen on {} of the {} items of {}, evenly spread", max_items,
                    dataset.size(), dataset.info().name));
  }
  return set;
}

Expected<PriorSearchItems> PriorSearchItems::ofItems(const Model& model, const Dataset& dataset,
                                                     const NetworkOnDevice& network,
                                                     const LaplacePosterior& posterior,
                                                     const std::vector<std::int64_t>& indices,
                                                     const PredictOptions& options,
                                                     RunContext& context) {
  auto made = makePosteriorNetwork(model, network, posterior, {}, context.memory_budget_bytes);
  if (!made) {
    return failWith(made);
  }
  const auto sized = fitting(model, dataset, network, options, context);
  if (!sized) {
    return failWith(sized);
  }
  PriorSearchItems set(model, network.device, *std::move(made));
  if (Status prepared = set.prepare(model, dataset, indices, *sized, context); !prepared) {
    return failWith(prepared);
  }
  return set;
}

Status PriorSearchItems::prepare(const Model& model, const Dataset& dataset,
                                 const std::vector<std::int64_t>& indices,
                                 const PredictOptions& options, RunContext& context) {
  const auto labels = ModelLabels::of(model, dataset);
  if (!labels) {
    return failWith(labels);
  }
  std::int64_t kept_bytes = 0;
  const auto plan = BatchPlan::ofItems(indices, options.batch);
  DeviceBatches batches = networkBatches(model, dataset, plan, device_, context);
  while (batches.remaining() > 0) {
    const auto items = static_cast<std::int64_t>(indices.size());
    const std::int64_t done =
        std::min(items, (plan.batchCount() - batches.remaining()) * options.batch);
    if (context.step("tuning data", done, items) == Step::kCancel) {
      return Status(cancelled());
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    const std::vector<std::int64_t>& read = batch->batch.indices;
    Status passed = forEachPart(*network_, batch->inputs, read, dataset, rows_, context,
                                [&](PosteriorNetwork::Items&& part, std::int64_t) {
                                  kept_bytes += part.bytes();
                                  parts_.push_back(std::move(part));
                                });
    if (!passed) {
      return passed;
    }
    if (context.memory_budget_bytes > 0 && kept_bytes > context.memory_budget_bytes) {
      return fail(ErrorCode::kOutOfMemory,
                  fmt::format("{}: the data kept for {} items exceeds the {} allowed; use fewer "
                              "items, use the last layer, or allow more memory",
                              dataset.info().name, indices.size(),
                              bytesText(static_cast<double>(context.memory_budget_bytes))),
                  {datasetSetting("items", "0:N"), setting("layers", "last"), setting("memory")});
    }
    for (const std::int64_t index : read) {
      ids_.push_back(dataset.ids()[static_cast<std::size_t>(index)]);
      labels_.push_back(labels->at(index));
    }
  }
  return {};
}

double PriorSearchItems::mapConfidence() const {
  double sum = 0.0;
  for (const PosteriorNetwork::Items& part : parts_) {
    sum += std::get<0>(at::softmax(part.logits.to(at::kDouble), 1).max(1)).sum().item().toDouble();
  }
  return sum / static_cast<double>(ids_.size());
}

Expected<Array<float>> PriorSearchItems::probsAt(const LaplaceScale& scale, const std::string& link,
                                                 std::int64_t samples, RunContext& context) {
  network_->setScale(scale);
  const auto items = static_cast<std::int64_t>(ids_.size());
  Array<float> probs = Array<float>::zeros({items, parts_.at(0).logits.size(1)});
  std::int64_t done = 0;
  for (const PosteriorNetwork::Items& part : parts_) {
    const std::int64_t count = part.logits.size(0);
    const Status linked = forEachGaussian(
        *network_, part, context, [&](const LogitGaussians& gaussians, std::int64_t first) {
          const auto rows = static_cast<std::size_t>(gaussians.mean.extent(0));
          const auto ids = std::span(ids_).subspan(static_cast<std::size_t>(done + first), rows);
          const LinkedPredictions predicted =
              applyLink(link, gaussians, ids, samples, context.seed, context);
          std::ranges::transform(predicted.probs.values(), probs.mutableRow(done + first).data(),
                                 [](double prob) { return static_cast<float>(prob); });
        });
    if (!linked) {
      return failWith(linked);
    }
    done += count;
  }
  return probs;
}

}  // namespace dubito
