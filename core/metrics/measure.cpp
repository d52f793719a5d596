// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "core/metrics/built_in_measures.h"

namespace dubito {
namespace {

/// What is known of the measures, in the order of Measure. References to them stay valid.
struct MeasureRegistry {
  std::deque<MeasureInfo> infos;
  std::vector<Measure> measures;
  std::vector<Measure> usual;

  MeasureRegistry() {
    for (const MeasureInfo& info : builtInMeasures()) {
      add(info);
    }
  }
  Measure add(const MeasureInfo& info) {
    const auto measure = static_cast<Measure>(infos.size());
    infos.push_back(info);
    measures.push_back(measure);
    if (info.is_usual) {
      usual.push_back(measure);
    }
    return measure;
  }
};

MeasureRegistry& registry() {
  static MeasureRegistry measures;
  return measures;
}

}  // namespace

const std::vector<Measure>& allMeasures() {
  return registry().measures;
}

const std::vector<Measure>& usualMeasures() {
  return registry().usual;
}

const MeasureInfo& describe(Measure measure) {
  return registry().infos.at(static_cast<std::size_t>(measure));
}

std::optional<Measure> measureOfKey(std::string_view key) {
  const auto found =
      std::ranges::find(allMeasures(), key, [](Measure measure) { return describe(measure).key; });
  return found == allMeasures().end() ? std::nullopt : std::optional(*found);
}

Measure addMeasure(const MeasureInfo& info) {
  const auto texts = {info.key,        info.name,    info.short_name, info.symbol,
                      info.unit,       info.meaning, info.equation,   info.range,
                      info.what_it_is, info.source,  info.needs,      info.axis_label};
  if (std::ranges::count(texts, nullptr) > 0 || info.upper_bound == nullptr ||
      info.compute == nullptr) {
    throw std::invalid_argument("addMeasure: every member is needed");
  }
  if (measureOfKey(info.key)) {
    throw std::invalid_argument(fmt::format("addMeasure: there is a measure {}", info.key));
  }
  if (allMeasures().size() > std::numeric_limits<std::uint8_t>::max()) {
    throw std::invalid_argument("addMeasure: too many measures");
  }
  return registry().add(info);
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
  throw std::invalid_argument("directionOf: no such sense");
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
                  fmt::format("\"{}\" is no measure; take all, or some of {} with commas between",
                              key, keysText(allMeasures())));
    }
  }
  return measures;
}

std::string keysText(const std::vector<Measure>& measures) {
  std::vector<const char*> keys;
  std::ranges::transform(measures, std::back_inserter(keys),
                         [](Measure measure) { return describe(measure).key; });
  return fmt::format("{}", fmt::join(keys, ", "));
}

std::optional<double> axisEnd(Measure measure, std::int64_t classes) {
  const MeasureInfo& info = describe(measure);
  const double bound = info.upper_bound(classes);
  return info.axis_reaches_bound && std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

}  // namespace dubito
