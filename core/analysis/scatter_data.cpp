// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/scatter_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "core/analysis/drawn_points.h"
#include "core/analysis/item_numbers.h"
#include "core/base/all_finite.h"
#include "core/io/join_runs.h"

namespace dubito {
namespace {

constexpr int kGridCells = 160;

/// The part of the other run that goes with part `position`; OOD parts go by name.
const AnalysisPart* counterpart(const Analysis& other, std::size_t position,
                                const std::string& name) {
  if (position == 0) {
    return &other.in();
  }
  const auto found = std::find_if(other.parts.begin() + 1, other.parts.end(),
                                  [&](const AnalysisPart& part) { return part.name == name; });
  return found == other.parts.end() ? nullptr : &*found;
}

ScatterData dataOf(const ScatterRequest& request, ItemRefs items, Array<double> x,
                   Array<double> y) {
  constexpr double kPadding = 0.03;
  Interval x_range = paddedRange(x.values(), kPadding);
  Interval y_range = paddedRange(y.values(), kPadding);
  if (request.x == request.y) {
    // Equal values stand on the diagonal.
    x_range = y_range = {std::min(x_range.low, y_range.low), std::max(x_range.high, y_range.high)};
  }
  ScatterData data = makeScatterData(request.x_run, std::move(items), std::move(x), std::move(y),
                                     x_range, y_range);
  data.request = request;
  return data;
}

/// All items of a run of one part with both measures, whose values are shared; null if the points
/// must be collected.
ScatterDataPtr ofWholeRun(const ScatterRequest& request) {
  const Analysis& analysis = *request.x_run;
  if (request.y_run != request.x_run || analysis.parts.size() != 1) {
    return nullptr;
  }
  const Array<double>& x = analysis.in().values(request.x);
  const Array<double>& y = analysis.in().values(request.y);
  if (x.empty() || y.empty() || !allFinite(x.values()) || !allFinite(y.values())) {
    return nullptr;
  }
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(x.size()));
  std::iota(numbers.begin(), numbers.end(), 0U);
  return std::make_shared<const ScatterData>(
      dataOf(request, {ItemNumbers(analysis), std::move(numbers)}, x, y));
}

/// Collects the points of one part after the other.
class Joiner {
 public:
  explicit Joiner(const ScatterRequest& request) : request_(request), numbers_(*request.x_run) {}

  Status add(std::size_t position) {
    const AnalysisPart& part = request_.x_run->parts[position];
    const AnalysisPart* const other = counterpart(*request_.y_run, position, part.name);
    if (other == nullptr || !part.has(request_.x) || !other->has(request_.y)) {
      return {};
    }
    const auto rows =
        joinRuns({*part.run, request_.x_run->name}, {*other->run, request_.y_run->name});
    if (!rows) {
      return failWith(rows);
    }
    const std::span<const double> x = part.values(request_.x).values();
    const std::span<const double> y = other->values(request_.y).values();
    for (const SharedRow& row : *rows) {
      const double x_value = x[static_cast<std::size_t>(row.first)];
      const double y_value = y[static_cast<std::size_t>(row.second)];
      if (!std::isfinite(x_value) || !std::isfinite(y_value)) {
        ++without_value_;
        continue;
      }
      items_.push_back(static_cast<std::uint32_t>(numbers_.firstOf(position) + row.first));
      x_.push_back(x_value);
      y_.push_back(y_value);
    }
    return {};
  }

  Expected<ScatterDataPtr> finish() {
    if (items_.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} and {} share no item that has both measures; choose a run over "
                              "the same items",
                              request_.x_run->name, request_.y_run->name));
    }
    ScatterData data =
        dataOf(request_, {numbers_, std::move(items_)}, Array<double>::fromVector(std::move(x_)),
               Array<double>::fromVector(std::move(y_)));
    data.without_value = without_value_;
    return ScatterDataPtr(std::make_shared<const ScatterData>(std::move(data)));
  }

 private:
  const ScatterRequest& request_;
  ItemNumbers numbers_;
  std::vector<std::uint32_t> items_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::int64_t without_value_ = 0;
};

}  // namespace

Interval paddedRange(std::span<const double> values, double padding) {
  const auto [low, high] = std::ranges::minmax(values);
  const double width = high > low ? high - low : std::max(1e-3, std::abs(low));
  return {low - padding * width, high + padding * width};
}

std::optional<std::int32_t> ScatterData::pointOf(ItemRef item) const {
  const ItemNumbers& numbers = items.ofAnalysis();
  const std::int32_t point =
      numbers.contains(item) ? point_of_item[static_cast<std::size_t>(numbers.of(item))] : -1;
  return point < 0 ? std::nullopt : std::optional(point);
}

ScatterData makeScatterData(AnalysisPtr run, ItemRefs items, Array<double> x, Array<double> y,
                            Interval x_range, Interval y_range, Crowd crowd) {
  ScatterData data;
  data.point_of_item.assign(static_cast<std::size_t>(run->itemCount()), -1);
  std::vector<std::uint8_t> groups;
  groups.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto group = static_cast<std::uint8_t>(groupOf(*run, items[i]));
    data.point_of_item[items.numbers()[i]] = static_cast<std::int32_t>(i);
    groups.push_back(group);
    ++data.counts[group];
  }
  data.run = std::move(run);
  data.items = std::move(items);
  data.points = makeScatterPoints(std::move(x), std::move(y), std::move(groups), x_range, y_range,
                                  kGridCells);
  chooseDrawnPoints(data, crowd);
  return data;
}

Expected<ScatterDataPtr> joinScatter(const ScatterRequest& request) {
  if (ScatterDataPtr whole = ofWholeRun(request)) {
    return whole;
  }
  Joiner joiner(request);
  for (std::size_t position = 0; position < request.x_run->parts.size(); ++position) {
    if (Status status = joiner.add(position); !status) {
      return failWith(status);
    }
  }
  return joiner.finish();
}

PickedItems itemsInRectangle(const ScatterData& data, Interval x, Interval y, std::string name) {
  std::vector<bool> rows(data.point_of_item.size(), false);
  for (std::size_t i = 0; i < data.items.size(); ++i) {
    const bool inside = data.points.x.data()[i] >= x.low && data.points.x.data()[i] <= x.high &&
                        data.points.y.data()[i] >= y.low && data.points.y.data()[i] <= y.high;
    if (inside) {
      rows[data.items.numbers()[i]] = true;
    }
  }
  return {std::move(name), std::make_shared<const std::vector<bool>>(std::move(rows))};
}

}  // namespace dubito
