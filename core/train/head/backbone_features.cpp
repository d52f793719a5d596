// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/backbone_features.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/io/mapped_file.h"
#include "core/io/row_buffer.h"
#include "core/models/network_hash.h"
#include "core/network/batch_size_torch.h"
#include "core/network/head_network_torch.h"
#include "core/network/network_batches_torch.h"
#include "core/train/head/feature_cache.h"
#include "core/train/head/item_stamps.h"

namespace dubito {
namespace {

/// See featurePlace().
constexpr std::int64_t kCopies = 3;

/// Features of some items, one row after another.
struct ComputedRows {
  std::vector<std::int64_t> items;
  Array<float> values;  ///< [items, Q]
  std::int64_t unreadable = 0;
};

Expected<ComputedRows> computeRows(HeadNetwork& head, const Model& model, c10::Device device,
                                   const Dataset& dataset, std::vector<std::int64_t> positions,
                                   std::int64_t batch_size, const RowPlace& place,
                                   RunContext& context) {
  ComputedRows rows;
  const auto count = static_cast<std::int64_t>(positions.size());
  auto values = RowBuffer::create(count, head.weight().size(1), place);
  if (!values) {
    return failWith(values);
  }
  DeviceBatches batches = networkBatches(
      model, dataset, BatchPlan::ofItems(std::move(positions), batch_size), device, context);
  std::int64_t done = 0;
  while (batches.remaining() > 0) {
    if (context.step("computing features", done, count) == Step::kCancel) {
      return cancelled();
    }
    const auto loaded = batches.next();
    if (!loaded) {
      return failWith(loaded);
    }
    const Batch& batch = loaded->batch;
    done += static_cast<std::int64_t>(batch.indices.size() + batch.unreadable.size());
    rows.unreadable += static_cast<std::int64_t>(batch.unreadable.size());
    if (batch.indices.empty()) {
      continue;
    }
    const auto outputs = head.run(loaded->inputs, batch.indices, dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    const at::Tensor features = outputs->features.to(at::kCPU, at::kFloat).contiguous();
    if (Status added = values->append(
            {features.const_data_ptr<float>(), static_cast<std::size_t>(features.numel())});
        !added) {
      return failWith(added);
    }
    rows.items.insert(rows.items.end(), batch.indices.begin(), batch.indices.end());
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  auto array = values->finish();
  if (!array) {
    return failWith(array);
  }
  rows.values = *std::move(array);
  return rows;
}

/// The new features, followed by the kept ones that are not outdated.
std::vector<FeatureRow> rowsToKeep(const KeptFeatures& kept, const ComputedRows& computed,
                                   const Dataset& dataset, const ItemStamps& stamps) {
  std::vector<FeatureRow> rows;
  std::unordered_set<std::int64_t> is_new;
  for (std::size_t row = 0; row < computed.items.size(); ++row) {
    const auto item = static_cast<std::size_t>(computed.items[row]);
    const std::int64_t id = dataset.ids()[item];
    rows.push_back(
        {id, stamps.stamps[item], computed.values.row(static_cast<std::int64_t>(row)).data()});
    is_new.insert(id);
  }
  for (std::size_t row = 0; row < kept.ids.size(); ++row) {
    if (!is_new.contains(kept.ids[row])) {
      rows.push_back({kept.ids[row], kept.stamps[row],
                      kept.features.row(static_cast<std::int64_t>(row)).data()});
    }
  }
  return rows;
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

RowPlace featurePlace(const BackboneFeatureOptions& options, const RunContext& context) {
  return {.max_memory_bytes = context.memory_budget_bytes / kCopies, .folder = options.folder};
}

Expected<BackboneFeatures> backboneFeatures(const Model& model, const Dataset& dataset,
                                            const std::vector<std::int64_t>& positions,
                                            const BackboneFeatureOptions& options,
                                            RunContext& context) {
  setUpTorch(context);
  const auto network = placeNetwork(model, context.device);
  if (!network) {
    return failWith(network);
  }
  auto head = HeadNetwork::of(model, *network);
  if (!head) {
    return failWith(head);
  }
  const std::int64_t width = head->weight().size(1);
  const RowPlace place = featurePlace(options, context);
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
  const KeptFeatures kept = stamps ? cache.read(key, width, place) : KeptFeatures();
  const auto rows_of_kept = keptRows(kept, dataset, positions, stamps);
  std::vector<std::int64_t> missing;
  std::ranges::copy_if(positions, std::back_inserter(missing),
                       [&](std::int64_t position) { return !rows_of_kept.contains(position); });
  ComputedRows computed;
  if (!missing.empty()) {
    const auto batch = batchSizeForFit(model, dataset, *network, options.batch, context);
    auto rows = batch ? computeRows(*head, model, network->device, dataset, missing, batch->items,
                                    place, context)
                      : failWith(batch);
    if (!rows) {
      return failWith(rows);
    }
    computed = *std::move(rows);
    if (stamps && !computed.items.empty()) {
      cache.write(key, width, rowsToKeep(kept, computed, dataset, *stamps));
    }
  }
  BackboneFeatures result;
  result.unreadable = computed.unreadable;
  result.from_cache = static_cast<std::int64_t>(rows_of_kept.size());
  result.notes = cache.notes();
  if (rows_of_kept.empty() && !computed.items.empty()) {
    result.items = std::move(computed.items);
    result.features = std::move(computed.values);
    return result;
  }
  auto values = RowBuffer::create(static_cast<std::int64_t>(positions.size()), width, place);
  if (!values) {
    return failWith(values);
  }
  std::size_t next = 0;  // both lists are ascending
  for (const std::int64_t position : positions) {
    const auto found = rows_of_kept.find(position);
    const bool is_kept = found != rows_of_kept.end();
    if (!is_kept && (next >= computed.items.size() || computed.items[next] != position)) {
      continue;
    }
    const auto row = is_kept ? kept.features.row(found->second)
                             : computed.values.row(static_cast<std::int64_t>(next++));
    if (Status added = values->append(row); !added) {
      return failWith(added);
    }
    result.items.push_back(position);
  }
  if (result.items.empty()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read; check the files",
                            dataset.info().name, positions.size()));
  }
  auto features = values->finish();
  if (!features) {
    return failWith(features);
  }
  result.features = *std::move(features);
  return result;
}

}  // namespace dubito
