// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <utility>

#include "core/data/device/device_batches_torch.h"
#include "core/train/augment.h"
#include "core/train/batch_norm_torch.h"
#include "core/train/layers_torch.h"
#include "core/train/torch_state_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;

constexpr const char* kMean = "running_mean";
constexpr const char* kVariance = "running_var";

/// Averages the statistics of batches, weighted by their numbers of items. A layer only blends them
/// into its running statistics: from 0, these become kBatchNormMomentum times those of the batch.
class BatchStatistics {
 public:
  explicit BatchStatistics(const Module& network) : layers_(batchNormLayers(network)) {
    for (Module& layer : layers_) {
      layer.train();
      for (const char* const name : {kMean, kVariance}) {
        const at::Tensor buffer = layer.attr(name).toTensor();
        sums_.emplace_back(buffer, at::zeros_like(buffer, at::kDouble));
      }
    }
  }

  void beginBatch() {
    for (auto& [buffer, sum] : sums_) {
      buffer.zero_();
    }
  }
  void endBatch(std::int64_t items) {
    for (auto& [buffer, sum] : sums_) {
      sum.add_(buffer, static_cast<double>(items) / kBatchNormMomentum);
    }
    items_ += items;
  }
  void finish() {
    for (auto& [buffer, sum] : sums_) {
      buffer.copy_(sum / static_cast<double>(items_));
    }
  }

 private:
  std::vector<Module> layers_;
  std::vector<std::pair<at::Tensor, at::Tensor>> sums_;
  std::int64_t items_ = 0;
};

}  // namespace

std::vector<Module> batchNormLayers(const Module& network) {
  std::vector<Module> layers;
  for (const Module& module : network.modules()) {
    if (module.hasattr(kMean) && module.hasattr(kVariance)) {
      layers.push_back(module);
    }
  }
  return layers;
}

Status refreshBatchNorm(Module& network, const TrainingSet& set, const TrainOptions& options,
                        RunContext& context) {
  network.eval();
  if (batchNormLayers(network).empty()) {
    return {};
  }
  const at::NoGradGuard no_gradients;
  BatchStatistics statistics(network);
  std::vector<std::int64_t> items;
  for (const std::int64_t row : epochOrder(set.size(), context.seed, options.epochs)) {
    items.push_back(set.items[static_cast<std::size_t>(row)]);
  }
  const at::Device device = torchDevice(context.device);
  DeviceBatches batches(*set.dataset, BatchPlan::ofItems(std::move(items), options.batch),
                        set.preprocessing, context, makeDeviceCopier(device));
  for (std::int64_t done = 0; batches.remaining() > 0;) {
    if (context.step("batch normalisation", done, set.size()) == Step::kCancel) {
      return Status(cancelled());
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    if (Status same = requireReadable(batch->batch); !same) {
      return same;
    }
    const at::Tensor inputs = batch->inputs.to(device);
    statistics.beginBatch();
    network.forward({inputs});
    statistics.endBatch(inputs.size(0));
    done += inputs.size(0);
  }
  statistics.finish();
  network.eval();
  return {};
}

}  // namespace dubito
