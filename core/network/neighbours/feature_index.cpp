// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/neighbours/feature_index.h"

#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/data/images/load_item.h"
#include "core/data/items/item_random.h"
#include "core/io/mapped_file.h"
#include "core/network/batch_size_torch.h"
#include "core/network/head_network_torch.h"
#include "core/network/network_batches_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kIndexBudgetDivisor = 4;

/// Positions of `wanted` items, ascending: those with the smallest random numbers.
std::vector<std::int64_t> chosenItems(std::span<const std::int64_t> ids, std::int64_t wanted,
                                      std::uint64_t seed) {
  std::vector<std::int64_t> positions(ids.size());
  std::iota(positions.begin(), positions.end(), std::int64_t{0});
  if (wanted >= static_cast<std::int64_t>(ids.size())) {
    return positions;
  }
  std::vector<double> numbers;
  numbers.reserve(ids.size());
  for (const std::int64_t id : ids) {
    numbers.push_back(ItemRandom(seed, id).uniform());
  }
  const auto last = positions.begin() + wanted;
  std::ranges::nth_element(positions, last, {}, [&numbers](std::int64_t position) {
    return numbers[static_cast<std::size_t>(position)];
  });
  positions.erase(last, positions.end());
  std::ranges::sort(positions);
  return positions;
}

/// Appends the rows of `features` [B, Q] to `table`.
void append(const at::Tensor& features, const Batch& batch, const Dataset& dataset,
            FeatureTable& table) {
  const at::Tensor rows = features.to(at::kCPU, at::kFloat).contiguous();
  const auto first = static_cast<std::int64_t>(table.indices.size());
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const std::span<const float> from(rows.const_data_ptr<float>() + i * rows.size(1),
                                      static_cast<std::size_t>(rows.size(1)));
    std::ranges::copy(from, table.features.mutableRow(first + i).begin());
    const std::int64_t index = batch.indices[static_cast<std::size_t>(i)];
    table.norms.push_back(euclideanNorm(from));
    table.indices.push_back(index);
    table.ids.push_back(dataset.ids()[static_cast<std::size_t>(index)]);
  }
}

}  // namespace

struct FeatureIndex::Impl {
  ModelPtr model;
  DatasetPtr dataset;
  /// Querying runs the network, without visible side effects.
  mutable HeadNetwork head;
  FeatureTable table;
  std::vector<std::string> notes;
};

FeatureIndex::FeatureIndex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FeatureIndex::~FeatureIndex() = default;

const FeatureTable& FeatureIndex::table() const {
  return impl_->table;
}
const DatasetPtr& FeatureIndex::dataset() const {
  return impl_->dataset;
}
const ModelPtr& FeatureIndex::model() const {
  return impl_->model;
}
const std::vector<std::string>& FeatureIndex::notes() const {
  return impl_->notes;
}

Expected<FeatureIndexPtr> FeatureIndex::of(const ModelPtr& model, const DatasetPtr& dataset,
                                           const FeatureIndexOptions& options,
                                           RunContext& context) {
  setUpTorch(context);
  const auto network = placeNetwork(*model, context.device);
  if (!network) {
    return failWith(network);
  }
  auto head = HeadNetwork::of(*model, *network);
  if (!head) {
    return failWith(head);
  }
  const auto batch_size = batchSizeForFit(*model, *dataset, *network, options.batch, context);
  if (!batch_size) {
    return failWith(batch_size);
  }
  const std::int64_t width = head->weight().size(1);
  const std::int64_t budget = context.memory_budget_bytes > 0
                                  ? context.memory_budget_bytes / kIndexBudgetDivisor
                                  : options.max_bytes;
  const std::int64_t row_bytes = width * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t max_rows =
      std::max<std::int64_t>(1, std::min(options.max_bytes, budget) / row_bytes);
  const std::vector<std::int64_t> chosen = chosenItems(dataset->ids(), max_rows, context.seed);
  const auto count = static_cast<std::int64_t>(chosen.size());
  auto impl = std::make_unique<Impl>(Impl{model, dataset, *std::move(head), {}, {}});
  FeatureTable& table = impl->table;
  table.features = Array<float>::zeros({count, width});
  DeviceBatches batches = networkBatches(
      *model, *dataset, BatchPlan::ofItems(chosen, batch_size->items), network->device, context);
  std::int64_t done = 0;
  while (batches.remaining() > 0) {
    if (context.step("indexing", done, count) == Step::kCancel) {
      return cancelled();
    }
    const auto loaded = batches.next();
    if (!loaded) {
      return failWith(loaded);
    }
    const Batch& batch = loaded->batch;
    done += static_cast<std::int64_t>(batch.indices.size() + batch.unreadable.size());
    if (batch.indices.empty()) {
      continue;
    }
    const auto outputs = impl->head.run(loaded->inputs, batch.indices, *dataset);
    if (!outputs) {
      return failWith(outputs);
    }
    append(outputs->features, batch, *dataset, table);
  }
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return failWith(unchanged);
  }
  const auto read = static_cast<std::int64_t>(table.indices.size());
  if (read == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read; check the files",
                            dataset->info().name, dataset->size()));
  }
  table.features = table.features.slice(0, read);
  if (count < dataset->size()) {
    impl->notes.push_back(
        fmt::format("{} of the {} items of {}, chosen by seed and id: the "
                    "features of all would take {}",
                    count, dataset->size(), dataset->info().name,
                    bytesText(static_cast<double>(dataset->size() * row_bytes))));
  }
  if (read < count) {
    impl->notes.push_back(fmt::format("{} items of {} could not be read and were skipped",
                                      count - read, dataset->info().name));
  }
  return FeatureIndexPtr(new FeatureIndex(std::move(impl)));
}

Expected<std::vector<Neighbour>> FeatureIndex::nearest(const Dataset& queried,
                                                       std::int64_t position, std::int64_t count,
                                                       RunContext& context) const {
  setUpTorch(context);
  const auto batch = loadItem(queried, position, impl_->model->metadata().preprocessing, context);
  if (!batch) {
    return failWith(batch);
  }
  const auto outputs = impl_->head.run(*batch, queried);
  if (!outputs) {
    return failWith(outputs);
  }
  const at::Tensor row = outputs->features.to(at::kCPU, at::kFloat).contiguous();
  const bool is_own = &queried == impl_->dataset.get();
  return nearestRows(impl_->table,
                     {row.const_data_ptr<float>(), static_cast<std::size_t>(row.numel())}, count,
                     is_own ? std::optional(position) : std::nullopt, context);
}

}  // namespace dubito
