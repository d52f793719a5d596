// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/backbone_features.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/data/images/prefetcher.h"
#include "core/inference/networks/batch_size_torch.h"
#include "core/inference/networks/head_network_torch.h"
#include "core/io/mapped_file.h"
#include "core/models/network_hash.h"
#include "core/train/head/feature_cache.h"
#include "core/train/head/item_stamps.h"

namespace dubito {
namespace {

/// Kept, new and returned features exist at the same time.
constexpr std::int64_t kCopies = 3;

Status checkFeatureMemory(const Dataset& dataset, std::int64_t items, std::int64_t width,
                          const RunContext& context) {
  const std::int64_t bytes = kCopies * items * width * static_cast<std::int64_t>(sizeof(float));
  if (context.memory_budget_bytes > 0 && bytes > context.memory_budget_bytes) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: the features of {} items need {}, more than the {} allowed; allow "
                            "more (--memory) or take fewer items",
                            dataset.info().name, items, bytesText(static_cast<double>(bytes)),
                            bytesText(static_cast<double>(context.memory_budget_bytes))));
  }
  return {};
}

/// Features of some items, one row after another.
struct ComputedRows {
  std::vector<std::int64_t> items;
  std::vector<float> values;
  std::int64_t unreadable = 0;
};

Expected<ComputedRows> computeRows(HeadNetwork& head, const Model& model, const Dataset& dataset,
                                   std::vector<std::int64_t> positions, std::int64_t batch_size,
                                   RunContext& context) {
  ComputedRows rows;
  const auto count = static_cast<std::int64_t>(positions.size());
  rows.values.reserve(positions.size() * static_cast<std::size_t>(head.weight().size(1)));
  Prefetcher batches(dataset, BatchPlan::ofItems(std::move(positions), batch_size),
                     model.metadata().preprocessing, context);
  std::int64_t done = 0;
  while (batches.remaining() > 0) {
    if (context.step("computing features", done, count) == Step::kCancel) {
      return cancelled();
    }
    const auto batch = batches.next();
    if (!batch) {
      return failWith(batch);
    }
    done += static_cast<std::int64_t>(batch->indices.size() + batch->unreadable.size());
    rows.unreadable += static_cast<std::int64_t>(batch->unreadable.size());
    if (batch->indices.empty()) {
      continue;
    }
    const auto outputs = head.run(*batch, dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    const at::Tensor features = outputs->features.to(at::kCPU, at::kFloat).contiguous();
    const float* const values = features.const_data_ptr<float>();
    rows.values.insert(rows.values.end(), values, values + features.numel());
    rows.items.insert(rows.items.end(), batch->indices.begin(), batch->indices.end());
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return rows;
}

/// The kept features with the new ones in place of outdated ones.
KeptFeatures mergedFeatures(const KeptFeatures& kept, const ComputedRows& rows,
                            const Dataset& dataset, const ItemStamps& stamps, std::int64_t width) {
  KeptFeatures merged;
  std::unordered_map<std::int64_t, std::size_t> row_of;
  std::vector<float> values;
  for (std::size_t row = 0; row < rows.items.size(); ++row) {
    const auto item = static_cast<std::size_t>(rows.items[row]);
    merged.ids.push_back(dataset.ids()[item]);
    merged.stamps.push_back(stamps.stamps[item]);
    row_of.emplace(merged.ids.back(), row);
  }
  values = rows.values;
  for (std::size_t row = 0; row < kept.ids.size(); ++row) {
    if (!row_of.contains(kept.ids[row])) {
      merged.ids.push_back(kept.ids[row]);
      merged.stamps.push_back(kept.stamps[row]);
      const auto from = kept.features.row(static_cast<std::int64_t>(row));
      values.insert(values.end(), from.begin(), from.end());
    }
  }
  merged.features = Array<float>::fromVector({static_cast<std::int64_t>(merged.ids.size()), width},
                                             std::move(values));
  return merged;
}

/// Rows of the kept features by position of the item in the dataset.
std::unordered_map<std::int64_t, std::int64_t> keptRows(const KeptFeatures& kept,
                                                        const Dataset& dataset,
                                                        const std::vector<std::int64_t>& positions,
                                                        const std::optional<ItemStamps>& stamps) {
  std::unordered_map<std::int64_t, std::size_t> row_of_id;
  for (std::size_t row = 0; row < kept.ids.size(); ++row) {
    row_of_id.emplace(kept.ids[row], row);
  }
  std::unordered_map<std::int64_t, std::int64_t> rows;
  for (const std::int64_t position : positions) {
    const auto at = static_cast<std::size_t>(position);
    const auto found = row_of_id.find(dataset.ids()[at]);
    if (found != row_of_id.end() && kept.stamps[found->second] == stamps->stamps[at]) {
      rows.emplace(position, static_cast<std::int64_t>(found->second));
    }
  }
  return rows;
}

}  // namespace

Expected<BackboneFeatures> backboneFeatures(const Model& model, const Dataset& dataset,
                                            const std::vector<std::int64_t>& positions,
                                            const BackboneFeatureOptions& options,
                                            RunContext& context) {
  torch::jit::getProfilingMode() = false;
  at::set_num_threads(context.threads);
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  auto head = HeadNetwork::of(model, *network);
  if (!head) {
    return failWith(head);
  }
  const std::int64_t width = head->weight().size(1);
  if (Status fits =
          checkFeatureMemory(dataset, static_cast<std::int64_t>(positions.size()), width, context);
      !fits) {
    return failWith(fits);
  }
  std::optional<ItemStamps> stamps;
  // Features of networks whose results depend on the batch or on chance are good for one call.
  const bool is_repeatable =
      !model.audit().batch.depends_on_batch && model.audit().unrepeatable.empty();
  if (!options.folder.empty() && options.max_cache_bytes > 0 && is_repeatable) {
    stamps = itemStamps(dataset, context);
  }
  FeatureCache cache(options.folder, options.max_cache_bytes);
  const std::string key =
      stamps ? fmt::format("network {}\npreprocessing {}\ndata {}", networkHash(model),
                           toJson(model.metadata().preprocessing).dump(), stamps->source)
             : std::string();
  const KeptFeatures kept = stamps ? cache.read(key, width) : KeptFeatures();
  const auto rows_of_kept = keptRows(kept, dataset, positions, stamps);
  std::vector<std::int64_t> missing;
  std::ranges::copy_if(positions, std::back_inserter(missing),
                       [&](std::int64_t position) { return !rows_of_kept.contains(position); });
  ComputedRows computed;
  if (!missing.empty()) {
    const auto batch = batchSizeForFit(model, dataset, *network, options.batch, context);
    auto rows = batch ? computeRows(*head, model, dataset, missing, batch->items, context)
                      : failWith(batch);
    if (!rows) {
      return failWith(rows);
    }
    computed = *std::move(rows);
    if (stamps && !computed.items.empty()) {
      cache.write(key, mergedFeatures(kept, computed, dataset, *stamps, width));
    }
  }
  BackboneFeatures result;
  result.unreadable = computed.unreadable;
  result.from_cache = static_cast<std::int64_t>(rows_of_kept.size());
  result.notes = cache.notes();
  std::vector<float> values;
  std::size_t next = 0;  // both lists are ascending
  for (const std::int64_t position : positions) {
    const auto found = rows_of_kept.find(position);
    if (found != rows_of_kept.end()) {
      const auto row = kept.features.row(found->second);
      values.insert(values.end(), row.begin(), row.end());
    } else if (next < computed.items.size() && computed.items[next] == position) {
      const auto from = computed.values.begin() + static_cast<std::ptrdiff_t>(next) * width;
      values.insert(values.end(), from, from + width);
      ++next;
    } else {
      continue;
    }
    result.items.push_back(position);
  }
  if (result.items.empty()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read; check the files",
                            dataset.info().name, positions.size()));
  }
  result.features = Array<float>::fromVector(
      {static_cast<std::int64_t>(result.items.size()), width}, std::move(values));
  return result;
}

}  // namespace dubito
