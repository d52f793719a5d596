// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/view_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::array kGroupNames{"all", "correct", "misclassified", "ood"};  // of GroupFilter

/// An end that is not bounded is null, which no number of JSON is.
json toJson(const Interval& range) {
  const auto end = [](double value) { return std::isfinite(value) ? json(value) : json(); };
  return json::array({end(range.low), end(range.high)});
}

json toJson(const ReliabilityOptions& options) {
  return {{"bins", options.bins},
          {"equal_mass", options.equal_mass},
          {"class", options.of_class ? json(*options.of_class) : json()},
          {"with_ood", options.with_ood}};
}

json toJson(const AttributeFilter& filter) {
  json object{{"name", filter.name}};
  if (const auto* const range = std::get_if<Interval>(&filter.wanted)) {
    object["range"] = toJson(*range);
  } else {
    object["text"] = std::get<std::string>(filter.wanted);
  }
  return object;
}

json toJson(const ItemQuery& query) {
  json object{{"group", kGroupNames[static_cast<std::size_t>(query.group)]},
              {"sort", scoreName(query.sort)},
              {"descending", query.descending}};
  if (query.predicted) {
    object["predicted"] = *query.predicted;
  }
  if (query.label) {
    object["label"] = *query.label;
  }
  if (query.range) {
    object["range"] = {{"measure", scoreName(query.range->measure)},
                       {"interval", toJson(query.range->range)}};
  }
  if (query.reliability_bin) {
    object["reliability_bin"] = {{"options", toJson(query.reliability_bin->options)},
                                 {"bin", query.reliability_bin->bin},
                                 {"is_last", query.reliability_bin->is_last},
                                 {"interval", toJson(query.reliability_bin->range)}};
  }
  if (query.cell) {
    object["cell"] = {{"label", query.cell->label}, {"predicted", query.cell->predicted}};
  }
  if (query.attribute) {
    object["attribute"] = toJson(*query.attribute);
  }
  if (query.sort_attribute) {
    object["sort_attribute"] = *query.sort_attribute;
  }
  return object;
}

[[noreturn]] void wrong(const char* key, const json& value) {
  throw std::invalid_argument(
      fmt::format("'{}' is {}, which it cannot be", key, inQuotes(jsonExcerpt(value))));
}

/// The member, or null.
const json& memberOf(const json& object, const char* key) {
  static const json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

const json& objectOf(const json& value, const char* key) {
  if (!value.is_object()) {
    wrong(key, value);
  }
  return value;
}

bool flagOf(const json& object, const char* key) {
  const json& value = memberOf(object, key);
  if (!value.is_boolean()) {
    wrong(key, value);
  }
  return value.get<bool>();
}

std::string textOf(const json& object, const char* key) {
  const json& value = memberOf(object, key);
  if (!value.is_string()) {
    wrong(key, value);
  }
  return value.get<std::string>();
}

std::int64_t numberOf(const json& object, const char* key, std::int64_t least, std::int64_t most) {
  const json& value = memberOf(object, key);
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() &&
       value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) ||
      value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
    wrong(key, value);
  }
  return value.get<std::int64_t>();
}

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Measure measureOf(const json& object, const char* key) {
  const std::optional<Measure> measure = measureOfScore(textOf(object, key));
  if (!measure) {
    wrong(key, memberOf(object, key));
  }
  return *measure;
}

Interval intervalOf(const json& object, const char* key) {
  const json& value = memberOf(object, key);
  const auto isEnd = [](const json& end) {
    return end.is_null() || (end.is_number() && std::isfinite(end.get<double>()));
  };
  if (!value.is_array() || value.size() != 2 || !isEnd(value[0]) || !isEnd(value[1])) {
    wrong(key, value);
  }
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  return {value[0].is_null() ? -kUnbounded : value[0].get<double>(),
          value[1].is_null() ? kUnbounded : value[1].get<double>()};
}

ReliabilityOptions reliabilityOf(const json& object) {
  ReliabilityOptions options;
  options.bins = numberOf(object, "bins", 1, ReliabilityOptions::kMostBins);
  options.equal_mass = flagOf(object, "equal_mass");
  if (!memberOf(object, "class").is_null()) {
    options.of_class = numberOf(object, "class", 0, kMost);
  }
  options.with_ood = flagOf(object, "with_ood");
  return options;
}

AttributeFilter attributeOf(const json& object) {
  AttributeFilter filter;
  filter.name = textOf(object, "name");
  if (object.contains("range")) {
    filter.wanted = intervalOf(object, "range");
  } else {
    filter.wanted = textOf(object, "text");
  }
  return filter;
}

GroupFilter groupOf(const json& object) {
  const std::string name = textOf(object, "group");
  for (std::size_t i = 0; i < kGroupNames.size(); ++i) {
    if (name == kGroupNames[i]) {
      return static_cast<GroupFilter>(i);
    }
  }
  wrong("group", memberOf(object, "group"));
}

ItemQuery queryOf(const json& object) {
  ItemQuery query;
  query.group = groupOf(object);
  query.sort = measureOf(object, "sort");
  query.descending = flagOf(object, "descending");
  if (object.contains("predicted")) {
    query.predicted = numberOf(object, "predicted", 0, kMost);
  }
  if (object.contains("label")) {
    query.label = numberOf(object, "label", 0, kMost);
  }
  if (object.contains("range")) {
    const json& range = objectOf(object["range"], "range");
    query.range = MeasureRange{measureOf(range, "measure"), intervalOf(range, "interval")};
  }
  if (object.contains("reliability_bin")) {
    const json& bin = objectOf(object["reliability_bin"], "reliability_bin");
    query.reliability_bin = ReliabilityBinFilter{
        reliabilityOf(objectOf(memberOf(bin, "options"), "options")),
        static_cast<int>(numberOf(bin, "bin", 0, ReliabilityOptions::kMostBins)),
        flagOf(bin, "is_last"), intervalOf(bin, "interval")};
  }
  if (object.contains("cell")) {
    const json& cell = objectOf(object["cell"], "cell");
    query.cell =
        ClassPair{numberOf(cell, "label", 0, kMost), numberOf(cell, "predicted", 0, kMost)};
  }
  if (object.contains("attribute")) {
    query.attribute = attributeOf(objectOf(object["attribute"], "attribute"));
  }
  if (object.contains("sort_attribute")) {
    query.sort_attribute = textOf(object, "sort_attribute");
  }
  return query;
}

}  // namespace

json toJson(const SessionView& view) {
  json object{{"query", toJson(view.query)}, {"reliability", toJson(view.reliability)}};
  if (view.primary) {
    object["primary"] = {{"part", view.primary->part}, {"row", view.primary->row}};
  }
  return object;
}

SessionView viewFromJson(const json& object) {
  SessionView view;
  objectOf(object, "view");
  view.query = queryOf(objectOf(memberOf(object, "query"), "query"));
  view.reliability = reliabilityOf(objectOf(memberOf(object, "reliability"), "reliability"));
  if (object.contains("primary")) {
    const json& primary = objectOf(object["primary"], "primary");
    view.primary = ItemRef{static_cast<std::int32_t>(numberOf(
                               primary, "part", 0, std::numeric_limits<std::int32_t>::max())),
                           numberOf(primary, "row", 0, kMost)};
  }
  return view;
}

}  // namespace dubito
