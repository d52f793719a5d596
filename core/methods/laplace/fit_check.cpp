// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/laplace/fit_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/data/sources/dataset_view.h"
#include "core/predict/predict.h"

namespace dubito {
namespace {

/// Items that are predicted; enough to see a loss of a tenth.
constexpr std::int64_t kCheckedItems = 100;

/// An even selection of the items.
DatasetPtr someItems(const DatasetPtr& all) {
  const std::int64_t count = std::min(all->size(), kCheckedItems);
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    rows.push_back((2 * i + 1) * all->size() / (2 * count));
  }
  return std::make_shared<const DatasetView>(all, std::move(rows), all->info());
}

/// Right predictions on the labelled items, of `items` in all.
struct Right {
  std::int64_t by_method = 0;
  std::int64_t by_map = 0;
  std::int64_t items = 0;
};

Right countRight(const Run& method, const Run& map) {
  const auto labels = map.labels.values();
  const bool has_labels =
      std::ranges::any_of(labels, [](std::int64_t label) { return label >= 0; });
  Right right;
  for (std::int64_t i = 0; i < map.itemCount(); ++i) {
    const std::int64_t of_map = map.predictions.data()[i];
    const std::int64_t truth = has_labels ? map.labels.data()[i] : of_map;
    if (truth >= 0) {
      right.by_method += method.predictions.data()[i] == truth ? 1 : 0;
      right.by_map += of_map == truth ? 1 : 0;
      ++right.items;
    }
  }
  return right;
}

}  // namespace

Expected<std::string> fitCheckNote(const Model& model, const MethodOptions& ready,
                                   const DatasetPtr& fitted, const PredictOptions& options,
                                   const RunContext& context) {
  const DatasetPtr items = someItems(fitted);
  // Every rank does the same, alone.
  RunContext own = context;
  own.ranks = nullptr;
  const auto by_map = predict(model, *items, MapOptions{}, options, own);
  const auto by_method = by_map ? predict(model, *items, ready, options, own) : by_map;
  if (!by_method) {
    return by_method.error().code == ErrorCode::kCancelled ? failWith(by_method)
                                                           : Expected<std::string>(std::string());
  }
  if (by_map->itemCount() != by_method->itemCount()) {
    return std::string();
  }
  const Right right = countRight(*by_method, *by_map);
  const auto loss = static_cast<double>(right.by_map - right.by_method);
  if (right.items == 0 || loss <= kMaxAccuracyLoss * static_cast<double>(right.items)) {
    return std::string();
  }
  const auto percent = [&right](std::int64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(right.items);
  };
  return fmt::format(
      "On {} of the items that it was fitted on, {} predicts {:.3g} % correctly, the network alone "
      "{:.3g} %: this posterior is not one of this network; use a larger prior precision (a "
      "fixed tau, or the prior auto-nll), or for drawn weights the linearised predictive",
      right.items, methodName(ready), percent(right.by_method), percent(right.by_map));
}

}  // namespace dubito
