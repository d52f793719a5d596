// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/drawn_points.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/splitmix64.h"

namespace dubito {
namespace {

// Of each group that is drawn over counts: more would hide them.
constexpr std::int64_t kMaxOverDensity = 1000;

/// A hash of the item, the same in every run that holds it.
std::uint64_t keyOfPoint(const ScatterData& data, std::int32_t point) {
  const ItemRef item = data.items[static_cast<std::size_t>(point)];
  const std::int64_t id = data.run->partOf(item).run->ids.data()[item.row];
  return splitmix64(splitmix64(static_cast<std::uint64_t>(id)) +
                    static_cast<std::uint64_t>(item.part));
}

/// Leaves the `max_points` points of the smallest keys, in ascending order.
void keepKeyed(const ScatterData& data, std::int64_t max_points,
               std::vector<std::int32_t>& points) {
  if (static_cast<std::int64_t>(points.size()) <= max_points) {
    return;
  }
  std::vector<std::pair<std::uint64_t, std::int32_t>> keyed;
  keyed.reserve(points.size());
  for (const std::int32_t point : points) {
    keyed.emplace_back(keyOfPoint(data, point), point);
  }
  std::nth_element(keyed.begin(), keyed.begin() + max_points, keyed.end());
  points.clear();
  for (std::int64_t i = 0; i < max_points; ++i) {
    points.push_back(keyed[static_cast<std::size_t>(i)].second);
  }
  std::ranges::sort(points);
}

}  // namespace

void chooseDrawnPoints(ScatterData& data, Crowd crowd) {
  data.is_density = crowd == Crowd::kCounted && data.points.size() > kMaxScatterPoints;
  // Rare points, which people look for, lie on top of the rest.
  for (const ItemGroup group :
       {ItemGroup::kUnlabelled, ItemGroup::kCorrect, ItemGroup::kOod, ItemGroup::kMisclassified}) {
    const bool over_density = group == ItemGroup::kOod || group == ItemGroup::kMisclassified;
    if (data.is_density && !over_density) {
      continue;
    }
    std::vector<std::int32_t> points;
    for (std::int32_t i = 0; i < data.points.size(); ++i) {
      if (data.points.groups[static_cast<std::size_t>(i)] == static_cast<std::uint8_t>(group)) {
        points.push_back(i);
      }
    }
    const std::int64_t max_points = data.is_density            ? kMaxOverDensity
                                    : crowd == Crowd::kCounted ? kMaxScatterPoints
                                                               : kMaxScatterPoints / 2;
    keepKeyed(data, max_points, points);
    data.drawn.insert(data.drawn.end(), points.begin(), points.end());
  }
}

std::vector<std::int32_t> pointsOfItems(const ScatterData& data, const ItemRefs& items,
                                        std::int64_t max_points) {
  std::vector<std::int32_t> points;
  for (const ItemRef item : items.all()) {
    if (const std::optional<std::int32_t> point = data.pointOf(item)) {
      points.push_back(*point);
    }
  }
  std::ranges::sort(points);
  keepKeyed(data, max_points, points);
  return points;
}

}  // namespace dubito
