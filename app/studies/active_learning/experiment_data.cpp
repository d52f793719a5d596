// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/experiment_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <unordered_set>
#include <utility>
#include <variant>

#include "core/base/splitmix64.h"
#include "core/data/overlap/overlap_check.h"
#include "core/data/sources/dataset_view.h"
#include "core/runs/run_rows.h"

namespace dubito::study {
namespace {

constexpr std::int64_t kItemsCompared = 500;

/// Positions of the labelled items.
std::vector<std::int64_t> labelledRows(const Dataset& dataset) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (dataset.labels()[static_cast<std::size_t>(i)] >= 0) {
      rows.push_back(i);
    }
  }
  return rows;
}

DatasetPtr viewOf(const DatasetPtr& dataset, std::vector<std::int64_t> rows) {
  return std::make_shared<const DatasetView>(dataset, std::move(rows), dataset->info());
}

/// Images are compared in the size of the first one.
Expected<Preprocessing> comparablePreprocessing(const Dataset& dataset) {
  const auto first = dataset.read(0);
  if (!first) {
    return failWith(first);
  }
  Preprocessing preprocessing;
  if (const auto* const image = std::get_if<Image8>(&*first)) {
    preprocessing.channels = image->channels();
    preprocessing.height = image->height();
    preprocessing.width = image->width();
  }
  return preprocessing;
}

/// Fails if an item is in both datasets.
Status requireDisjoint(const DatasetPtr& train, const DatasetPtr& test, RunContext& context) {
  const auto preprocessing = comparablePreprocessing(*train);
  if (!preprocessing) {
    return failWith(preprocessing);
  }
  const std::array evaluated{test};
  const auto shared = sharedItems(*train, evaluated, *preprocessing, kItemsCompared, context);
  if (!shared) {
    return failWith(shared);
  }
  const std::int64_t common = shared->front().same + shared->front().alike;
  if (common > 0) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: {} of its {} items are among the training items {}; choose other "
                    "test items",
                    test->info().spec, common, shared->front().evaluated, train->info().spec));
  }
  return {};
}

/// All rows of the dataset in an order that depends only on the seed and the ids.
std::vector<std::int64_t> keyedOrder(const Dataset& dataset, std::uint64_t seed) {
  const std::uint64_t key = splitmix64(seed);
  std::vector<std::uint64_t> hashes;
  for (const std::int64_t id : dataset.ids()) {
    hashes.push_back(splitmix64(key ^ splitmix64(static_cast<std::uint64_t>(id))));
  }
  std::vector<std::int64_t> rows(hashes.size());
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::ranges::sort(rows, {},
                    [&](std::int64_t row) { return hashes[static_cast<std::size_t>(row)]; });
  return rows;
}

}  // namespace

Expected<ExperimentData> openExperiment(const std::string& train_spec, const std::string& test_spec,
                                        const ActiveLearningOptions& options, RunContext& context) {
  ExperimentData data;
  for (const auto& [spec, dataset] :
       {std::pair{&train_spec, &data.train}, std::pair{&test_spec, &data.test}}) {
    auto opened = openDataset(*spec, context);
    if (!opened) {
      return failWith(opened);
    }
    std::vector<std::int64_t> rows = labelledRows(**opened);
    if (rows.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: no item has a label; give a dataset with labels", *spec));
    }
    *dataset = viewOf(*opened, std::move(rows));
  }
  if (data.train->size() < options.pool) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} items with labels, fewer than the pool ({}); choose a "
                            "smaller --pool",
                            train_spec, data.train->size(), options.pool));
  }
  const auto test_items = std::max<std::int64_t>(
      1, std::llround(options.test_share * static_cast<double>(data.test->size())));
  data.test = viewOf(data.test, keyedRows(data.test->ids(), test_items));
  data.classes = std::ranges::max(data.train->labels()) + 1;
  if (Status disjoint = requireDisjoint(data.train, data.test, context); !disjoint) {
    return failWith(disjoint);
  }
  return data;
}

DatasetPtr poolOf(const ExperimentData& data, const ActiveLearningOptions& options,
                  std::uint64_t seed) {
  std::vector<std::int64_t> rows = keyedOrder(*data.train, seed);
  rows.resize(static_cast<std::size_t>(options.pool));
  std::ranges::sort(rows);
  return viewOf(data.train, std::move(rows));
}

Expected<std::vector<std::int64_t>> initialIds(const ExperimentData& data, const Dataset& pool,
                                               std::int64_t initial, std::uint64_t seed) {
  if (initial < data.classes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--initial {} leaves some of the {} classes without a label; choose at "
                            "least {}",
                            initial, data.classes, data.classes));
  }
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> missing(static_cast<std::size_t>(data.classes));
  for (std::int64_t k = 0; k < data.classes; ++k) {
    missing[static_cast<std::size_t>(k)] =
        initial / data.classes + (k < initial % data.classes ? 1 : 0);
  }
  for (const std::int64_t row : keyedOrder(pool, seed)) {
    const auto i = static_cast<std::size_t>(row);
    if (std::int64_t& wanted = missing[static_cast<std::size_t>(pool.labels()[i])]; wanted > 0) {
      ids.push_back(pool.ids()[i]);
      --wanted;
    }
  }
  if (const auto lacking = std::ranges::find_if(missing, [](auto wanted) { return wanted > 0; });
      lacking != missing.end()) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: the pool has {} items too few of class {} for --initial {}; choose "
                    "a larger --pool",
                    pool.info().spec, *lacking, lacking - missing.begin(), initial));
  }
  std::ranges::sort(ids);
  return ids;
}

DatasetPtr itemsOf(const DatasetPtr& pool, std::span<const std::int64_t> ids, bool inverted) {
  const std::unordered_set<std::int64_t> chosen(ids.begin(), ids.end());
  std::vector<std::int64_t> rows;
  std::size_t found = 0;
  for (std::int64_t row = 0; row < pool->size(); ++row) {
    const bool is_chosen = chosen.contains(pool->ids()[static_cast<std::size_t>(row)]);
    found += is_chosen ? 1 : 0;
    if (is_chosen != inverted) {
      rows.push_back(row);
    }
  }
  if (found != chosen.size()) {
    throw std::out_of_range("itemsOf: an item is not in the pool");
  }
  return viewOf(pool, std::move(rows));
}

}  // namespace dubito::study
