// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/class_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/all_finite.h"

namespace dubito {
namespace {

Interval widened(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax_element(values);
  const double middle = *low + 0.5 * (*high - *low);
  // Points that are all the same still need a range around them.
  const double half = *high > *low ? 0.75 * (*high - *low) : std::max(1.0, std::abs(middle));
  return {middle - half, middle + half};
}

}  // namespace

Status checkClassData(const ClassData& data) {
  const ClassPoints& points = data.train;
  const std::int64_t classes = data.classes();
  if (points.size() == 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no points; add points of at least two classes", data.name));
  }
  if (!allFinite(points.x1) || !allFinite(points.x2) || !allFinite(data.test.x1) ||
      !allFinite(data.test.x2)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: some numbers are not finite; remove these points", data.name));
  }
  if (classes > kMaxLabClasses) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has {} classes; keep points of at most {}", data.name, classes,
                            kMaxLabClasses));
  }
  std::vector<std::int64_t> counts(static_cast<std::size_t>(classes));
  for (const std::int64_t c : points.classes) {
    ++counts.at(static_cast<std::size_t>(c));
  }
  if (classes < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: all points are of one class; add points of another", data.name));
  }
  if (const auto missing = std::ranges::find(counts, 0); missing != counts.end()) {
    const auto c = static_cast<std::size_t>(missing - counts.begin());
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: class {} has no points; add some, or use only the classes before "
                            "it",
                            data.name, data.class_names[c]));
  }
  return {};
}

std::vector<std::string> numberedClasses(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t c = 0; c < count; ++c) {
    names.push_back(std::to_string(c));
  }
  return names;
}

void showAround(ClassData& data) {
  data.shown_x1 = widened(data.train.x1);
  data.shown_x2 = widened(data.train.x2);
}

}  // namespace dubito
