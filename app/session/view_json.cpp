// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/view_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "app/files/json_members.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kGroupNames{"all", "correct", "misclassified",
                                                      "ood"};  // of GroupFilter
constexpr std::array<std::string_view, 4> kColumnNames{"item", "label", "predicted",
                                                       "loss"};  // of ItemColumn
static_assert(kColumnNames.size() == kItemColumns.size());

/// An unbounded end is null, because JSON has no infinity.
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
  json object{{"group", std::string(kGroupNames[static_cast<std::size_t>(query.group)])},
              {"sort", describe(query.sort).key},
              {"descending", query.descending}};
  if (query.predicted) {
    object["predicted"] = *query.predicted;
  }
  if (query.label) {
    object["label"] = *query.label;
  }
  if (query.range) {
    object["range"] = {{"measure", describe(query.range->measure).key},
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
  if (query.sort_column) {
    object["sort_column"] = std::string(kColumnNames[static_cast<std::size_t>(*query.sort_column)]);
  }
  return object;
}

constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();

Measure measureOf(const json& object, const char* key) {
  const std::optional<Measure> measure = measureOfKey(stringMember(object, key));
  if (!measure) {
    throwJsonError(key, member(object, key), "a measure");
  }
  return *measure;
}

Interval intervalOf(const json& object, const char* key) {
  const json& value = member(object, key);
  const auto isEnd = [](const json& end) {
    return end.is_null() || (end.is_number() && std::isfinite(end.get<double>()));
  };
  if (!value.is_array() || value.size() != 2 || !isEnd(value[0]) || !isEnd(value[1])) {
    throwJsonError(key, value, "a pair of numbers or null");
  }
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  return {value[0].is_null() ? -kUnbounded : value[0].get<double>(),
          value[1].is_null() ? kUnbounded : value[1].get<double>()};
}

ReliabilityOptions reliabilityOf(const json& object) {
  ReliabilityOptions options;
  options.bins = wholeNumber(object, "bins", 1, ReliabilityOptions::kMaxBins);
  options.equal_mass = boolMember(object, "equal_mass");
  if (!member(object, "class").is_null()) {
    options.of_class = wholeNumber(object, "class", 0, kMaxInteger);
  }
  options.with_ood = boolMember(object, "with_ood");
  return options;
}

AttributeFilter attributeOf(const json& object) {
  AttributeFilter filter;
  filter.name = stringMember(object, "name");
  if (object.contains("range")) {
    filter.wanted = intervalOf(object, "range");
  } else {
    filter.wanted = stringMember(object, "text");
  }
  return filter;
}

/// The enumerator of type T whose name is the text of a member; `kind` names them in errors.
template <class T>
T namedMember(const json& object, const char* key, std::span<const std::string_view> names,
              const char* kind) {
  const auto found = std::ranges::find(names, stringMember(object, key));
  if (found == names.end()) {
    throwJsonError(key, member(object, key), kind);
  }
  return static_cast<T>(found - names.begin());
}

ItemQuery queryOf(const json& object) {
  ItemQuery query;
  query.group = namedMember<GroupFilter>(object, "group", kGroupNames, "a group");
  query.sort = measureOf(object, "sort");
  query.descending = boolMember(object, "descending");
  if (object.contains("predicted")) {
    query.predicted = wholeNumber(object, "predicted", 0, kMaxInteger);
  }
  if (object.contains("label")) {
    query.label = wholeNumber(object, "label", 0, kMaxInteger);
  }
  if (object.contains("range")) {
    const json& range = objectMember(object, "range");
    query.range = MeasureRange{measureOf(range, "measure"), intervalOf(range, "interval")};
  }
  if (object.contains("reliability_bin")) {
    const json& bin = objectMember(object, "reliability_bin");
    query.reliability_bin = ReliabilityBinFilter{
        reliabilityOf(objectMember(bin, "options")),
        static_cast<int>(wholeNumber(bin, "bin", 0, ReliabilityOptions::kMaxBins)),
        boolMember(bin, "is_last"), intervalOf(bin, "interval")};
  }
  if (object.contains("cell")) {
    const json& cell = objectMember(object, "cell");
    query.cell = ClassPair{wholeNumber(cell, "label", 0, kMaxInteger),
                           wholeNumber(cell, "predicted", 0, kMaxInteger)};
  }
  if (object.contains("attribute")) {
    query.attribute = attributeOf(objectMember(object, "attribute"));
  }
  if (object.contains("sort_attribute")) {
    query.sort_attribute = stringMember(object, "sort_attribute");
  }
  if (object.contains("sort_column")) {
    query.sort_column = namedMember<ItemColumn>(object, "sort_column", kColumnNames, "a column");
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
  view.query = queryOf(objectMember(object, "query"));
  view.reliability = reliabilityOf(objectMember(object, "reliability"));
  if (object.contains("primary")) {
    const json& primary = objectMember(object, "primary");
    view.primary = ItemRef{static_cast<std::int32_t>(wholeNumber(
                               primary, "part", 0, std::numeric_limits<std::int32_t>::max())),
                           wholeNumber(primary, "row", 0, kMaxInteger)};
  }
  return view;
}

}  // namespace dubito
