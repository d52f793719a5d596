// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "core/base/registry.h"
#include "core/metrics/built_in_measures.h"

namespace dubito {
namespace {

Registry<Measure, MeasureInfo>& measureRegistry() {
  static Registry<Measure, MeasureInfo> measures(builtInMeasures());
  return measures;
}

}  // namespace

const std::vector<Measure>& allMeasures() {
  return measureRegistry().ids();
}

const MeasureInfo& describe(Measure measure) {
  return measureRegistry().info(measure);
}

std::optional<Measure> measureOfKey(std::string_view key) {
  return measureRegistry().find(key);
}

Measure addMeasure(const MeasureInfo& info) {
  return measureRegistry().add(info);
}

std::vector<Measure> defaultMeasures() {
  std::vector<Measure> usual;
  std::ranges::copy_if(allMeasures(), std::back_inserter(usual),
                       [](Measure measure) { return describe(measure).is_default; });
  return usual;
}

std::string directionOf(Measure measure) {
  switch (describe(measure).sense) {
    case MeasureSense::kCertain:
      return "higher: more certain";
    case MeasureSense::kUncertain:
      return "higher: more uncertain";
    case MeasureSense::kApproximationIsWorse:
      return "higher: the approximation is worse";
  }
  throw std::invalid_argument("directionOf: invalid sense");
}

bool highIsCertain(Measure measure) {
  return describe(measure).sense == MeasureSense::kCertain;
}

Expected<std::vector<Measure>> measuresOfKeys(const std::string& keys) {
  std::vector<Measure> measures;
  const auto add = [&measures](Measure measure) {
    if (std::ranges::find(measures, measure) == measures.end()) {
      measures.push_back(measure);
    }
  };
  for (std::size_t begin = 0; begin <= keys.size();) {
    const std::size_t end = std::min(keys.find(',', begin), keys.size());
    const std::string key = keys.substr(begin, end - begin);
    begin = end + 1;
    if (const auto measure = measureOfKey(key)) {
      add(*measure);
    } else if (key == "all") {
      for (const Measure each : allMeasures()) {
        if (describe(each).sense != MeasureSense::kApproximationIsWorse) {
          add(each);
        }
      }
    } else {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is not a measure; use all, or a comma-separated list of {}",
                              key, keysText(allMeasures())));
    }
  }
  return measures;
}

std::vector<std::string> keysOf(const std::vector<Measure>& measures) {
  std::vector<std::string> keys;
  std::ranges::transform(measures, std::back_inserter(keys),
                         [](Measure measure) { return describe(measure).key; });
  return keys;
}

std::string keysText(const std::vector<Measure>& measures) {
  return fmt::format("{}", fmt::join(keysOf(measures), ", "));
}

std::optional<double> axisEnd(Measure measure, std::int64_t classes) {
  const MeasureInfo& info = describe(measure);
  const double bound = info.upper_bound(classes);
  return info.axis_reaches_bound && std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

}  // namespace dubito
