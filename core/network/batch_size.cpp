// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/device.h"
#include "core/base/memory_budget.h"
#include "core/data/images/input_bytes.h"
#include "core/models/model_torch.h"
#include "core/models/program/torch_reason.h"
#include "core/network/batch_size_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/network/tensor_memory_torch.h"

namespace dubito {
namespace {

// The current batch, one waiting and one being loaded (Prefetcher, DeviceBatches).
constexpr std::int64_t kLoadedBatches = 3;
// The current batch and the one copied ahead; the copy of a pass is measured with it.
constexpr std::int64_t kBatchesOnDevice = 2;
// Page-locked memory is rounded up to a power of two.
constexpr std::int64_t kStagingRoundsUp = 2;
// Two items are tried only if this many single passes fit.
constexpr std::int64_t kPairsThatFit = 3;
// Usable share of a GPU's free memory; libraries take the rest.
constexpr double kShareOfDevice = 0.8;
// Enough to keep all cores busy, yet small enough that the budget rarely matters.
constexpr std::int64_t kBytesOfSharedPass = std::int64_t{1} << 30;

std::string textOf(std::int64_t bytes) {
  return bytesText(static_cast<double>(bytes));
}

/// Measures a deterministic pass of `x`. Errors of the network are left for later; kOutOfMemory.
Status passOnce(const Model& model, const NetworkOnDevice& network, const at::Tensor& x,
                ItemBytes& bytes) {
  try {
    GraphRunner runner(deterministicGraph(*network.graph), "measured", network.items_per_pass);
    const TensorMemoryMeter meter;
    const at::Tensor none = at::empty({0}, at::TensorOptions(at::kLong).device(network.device));
    static_cast<void>(runner.run(
        {network.module._ivalue(), deviceCopy(x, network.device), std::int64_t{0}, none, none}));
    bytes.pass = meter.peakBytes();
    bytes.pass_on_device = meter.peakBytesOnDevices();
  } catch (const std::exception& exception) {
    if (isOutOfMemory(exception)) {
      return networkFailure(model, x, exception);
    }
  }
  return {};
}

/// Adds the bytes of a deterministic pass of the item at `index`.
Status measurePass(const Model& model, const Dataset& dataset, std::int64_t index,
                   const NetworkOnDevice& network, const RunContext& context, ItemBytes& bytes) {
  const std::array<std::int64_t, 1> indices{index};
  const auto batch = loadBatch(dataset, indices, model.metadata().preprocessing, context);
  if (!batch) {
    return batch.error().code == ErrorCode::kCancelled ? Status(cancelled()) : Status();
  }
  if (batch->indices.empty()) {
    return {};
  }
  const at::Tensor x = networkInput(*batch, model);
  ItemBytes one;
  if (network.device.is_cuda()) {
    // The first products and convolutions allocate the libraries' own memory, which stays.
    static_cast<void>(passOnce(model, network, x, one));
  }
  if (Status passed = passOnce(model, network, x, one); !passed) {
    return passed;
  }
  // Some operators use another algorithm for several items, with more memory per item.
  ItemBytes two;
  const std::int64_t budget = context.memory_budget_bytes;
  if (!network.items_per_pass.isUnlimited()) {
    two = one;  // copies of the item fill up the pass
  } else if (budget <= 0 || bytes.alone() + kPairsThatFit * one.pass <= budget) {
    std::vector<std::int64_t> repeats(static_cast<std::size_t>(x.dim()), 1);
    repeats[0] = 2;
    // An item that fits alone is acceptable; passes too large for two are split later.
    static_cast<void>(passOnce(model, network, x.repeat(repeats), two));
  }
  bytes.pass = std::max(one.pass, (two.pass + 1) / 2);
  bytes.pass_on_device = std::max(one.pass_on_device, (two.pass_on_device + 1) / 2);
  return {};
}

}  // namespace

std::int64_t ItemBytes::inBatch() const {
  return kLoadedBatches * input + staging + pass + draws;
}

std::int64_t ItemBytes::inBatchOnDevice() const {
  // The draws of a batch stay there until they are summarised.
  return kBatchesOnDevice * input + pass_on_device + draws;
}

Expected<ItemBytes> itemBytes(const Model& model, const Dataset& dataset,
                              const NetworkOnDevice& network, const MethodOptions& method,
                              const RunContext& context) {
  const auto input = inputBytes(dataset, model.metadata().preprocessing, context);
  if (!input) {
    return failWith(input);
  }
  ItemBytes bytes{.input = *input};
  bytes.draws = drawsOf(method) * model.audit().classes * static_cast<std::int64_t>(sizeof(float));
  if (bytes.input == 0) {
    return bytes;
  }
  bytes.staging = network.device.is_cpu() ? 0 : kStagingRoundsUp * bytes.input;
  const auto first = firstReadable(dataset, context);
  if (!first) {
    return failWith(first);
  }
  if (Status measured =
          measurePass(model, dataset, *first, withCopiedState(model, network), context, bytes);
      !measured) {
    return failWith(measured);
  }
  return bytes;
}

Expected<BatchSize> largestFittingBatch(const Model& model, const ItemBytes& bytes,
                                        std::int64_t wanted, const RunContext& context,
                                        bool with_dropout) {
  const std::int64_t budget = context.memory_budget_bytes;
  std::int64_t fit = std::numeric_limits<std::int64_t>::max();
  std::string where;
  bool is_budget = false;
  if (budget > 0) {
    if (bytes.alone() > budget) {
      return fail(
          ErrorCode::kOutOfMemory,
          fmt::format("{}: one item takes {} ({} as input, {} in the network), more than "
                      "the {} allowed; state the input size in the model's metadata so that "
                      "items are resized, or allow more memory",
                      model.path(), textOf(bytes.alone()), textOf(bytes.input),
                      textOf(bytes.pass + bytes.draws), textOf(budget)),
          {metadataSetting("input_size"), setting("memory")});
    }
    fit = std::max<std::int64_t>(1, budget / std::max<std::int64_t>(1, bytes.inBatch()));
    where = fmt::format("{} of memory", textOf(budget));
    is_budget = true;
  }
  if (context.device.isCuda() && bytes.pass_on_device > 0) {
    const auto free_bytes = static_cast<double>(freeDeviceMemory(context.device.index));
    const auto on_device =
        static_cast<std::int64_t>(kShareOfDevice * free_bytes) / bytes.inBatchOnDevice();
    // If an item does not fit, the GPU itself refuses it: the estimate may be too high.
    if (free_bytes > 0.0 && on_device < fit) {
      fit = std::max<std::int64_t>(1, on_device);
      where = fmt::format("the {} free on {}", bytesText(free_bytes), toString(context.device));
      is_budget = false;
    }
  }
  if (fit >= wanted) {
    return BatchSize{wanted};
  }
  const BatchBehaviour& behaviour = model.audit().batch;
  if (behaviour.affects(with_dropout)) {
    std::vector<Setting> settings = {setting("batch", std::to_string(fit))};
    if (is_budget) {
      settings.push_back(setting("memory"));
    }
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: its results depend on the items that share a batch ({}), and "
                            "batches of {} do not fit into {}; use batches of {} or allow more",
                            model.path(), behaviour.reason, wanted, where, fit),
                std::move(settings));
  }
  return BatchSize{fit, fmt::format("Batches of {} items instead of {} to fit into {}: an item "
                                    "takes {} including the batches loaded ahead",
                                    fit, wanted, where, textOf(bytes.inBatch()))};
}

Expected<BatchSize> minOverRanks(const Expected<BatchSize>& mine, RankGroup* ranks) {
  if (ranks == nullptr) {
    return mine;
  }
  if (Status all = agree(*ranks, mine ? Status() : Status(failWith(mine))); !all) {
    return failWith(all);
  }
  BatchSize smallest = *mine;
  const nlohmann::json of_mine = {{"items", mine->items}, {"note", mine->note}};
  for (const std::string& text : ranks->gather(of_mine.dump())) {
    const nlohmann::json other = nlohmann::json::parse(text);
    if (const auto items = other.at("items").get<std::int64_t>(); items < smallest.items) {
      smallest = {items, other.at("note").get<std::string>()};
    }
  }
  return smallest;
}

std::int64_t maxSharedPassBytes(const RunContext& context) {
  std::int64_t max_bytes = kBytesOfSharedPass;
  if (context.device.isCuda()) {
    const auto free_bytes = static_cast<double>(freeDeviceMemory(context.device.index));
    max_bytes = std::min(max_bytes, static_cast<std::int64_t>(kShareOfDevice * free_bytes));
  } else if (context.memory_budget_bytes > 0) {
    max_bytes = std::min(max_bytes, context.memory_budget_bytes);
  }
  return max_bytes;
}

Expected<BatchSize> batchSizeForFit(const Model& model, const Dataset& dataset,
                                    const NetworkOnDevice& network, std::int64_t wanted,
                                    const RunContext& context) {
  if (context.memory_budget_bytes <= 0) {
    return BatchSize{wanted};
  }
  const auto bytes = itemBytes(model, dataset, network, MapOptions{}, context);
  return bytes ? largestFittingBatch(model, *bytes, wanted, context)
               : Expected<BatchSize>(failWith(bytes));
}

}  // namespace dubito
