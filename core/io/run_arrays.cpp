// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/io/run_check.h"
#include "core/io/run_schema.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kMetaKey = "meta";
constexpr const char* kAxesKey = "axes";
/// Unknown arrays of a file that are kept; more are no run.
constexpr std::size_t kMaxOthers = 100;
constexpr std::ptrdiff_t kMaxNamed = 3;  ///< in a note
/// Of RunAxis, in its order.
constexpr std::array<const char*, 4> kAxisNames = {"draw", "item", "class", "other"};

bool isOfSchema(const std::string& name) {
  bool found = false;
  forEachRunArray([&](const auto& array) { found |= name == array.info.key; });
  return found;
}

/// The axes of the array `name` that `meta` states; nullopt if it states none, or unknown ones.
std::optional<RunAxes> statedAxes(const json& meta, const std::string& name) {
  const json axes = meta.value(kAxesKey, json::object());
  const auto stated = axes.is_object() ? axes.find(name) : axes.end();
  if (stated == axes.end() || !stated->is_array() || stated->size() > RunAxes::kMaxRank) {
    return std::nullopt;
  }
  RunAxes result;
  for (const json& axis : *stated) {
    const auto known =
        std::ranges::find_if(kAxisNames, [&](const char* key) { return axis == key; });
    if (known == kAxisNames.end()) {
      return std::nullopt;
    }
    result.append(static_cast<RunAxis>(known - kAxisNames.begin()));
  }
  return result;
}

/// The axis of the items is the first, or the second after draws.
RunAxes suggestedAxes(const std::vector<std::int64_t>& shape, std::int64_t items) {
  const std::size_t item_axis = !shape.empty() && shape[0] == items     ? 0
                                : shape.size() > 1 && shape[1] == items ? 1
                                                                        : shape.size();
  RunAxes axes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    axes.append(i == item_axis ? RunAxis::kItem : RunAxis::kOther);
  }
  return axes;
}

}  // namespace

std::vector<NamedArray> arraysOf(const Run& run) {
  std::vector<NamedArray> arrays;
  forEachArrayOf(run, [&arrays](const RunArrayInfo& info, const auto& values) {
    arrays.push_back({info.key, info.axes, values});
  });
  return arrays;
}

std::int64_t bytesOf(const std::vector<NamedArray>& arrays) {
  std::int64_t bytes = 0;
  for (const NamedArray& array : arrays) {
    bytes +=
        std::visit([](const auto& a) { return static_cast<std::int64_t>(a.values().size_bytes()); },
                   array.values);
  }
  return bytes;
}

void stateAxes(const std::string& key, const RunAxes& axes, json& meta) {
  if (isOfSchema(key)) {
    return;
  }
  json& names = meta[kAxesKey][key] = json::array();
  for (const RunAxis axis : axes) {
    names.push_back(kAxisNames[static_cast<std::size_t>(axis)]);
  }
}

std::vector<NamedArray> readOthers(const NpzFile& npz, const json& meta, std::int64_t items,
                                   std::vector<Note>& notes) {
  std::vector<NamedArray> others;
  std::vector<std::string> left_out;
  for (const std::string& name : npz.names()) {
    if (name == kMetaKey || isOfSchema(name)) {
      continue;
    }
    Expected<AnyArray> values = others.size() < kMaxOthers
                                    ? npz.read(name)
                                    : Expected<AnyArray>(fail(ErrorCode::kUnsupported, {}));
    if (!values || shapeOf(*values).size() > RunAxes::kMaxRank) {
      left_out.push_back(inQuotes(name));
      continue;
    }
    const std::vector<std::int64_t>& shape = shapeOf(*values);
    RunAxes axes = statedAxes(meta, name).value_or(suggestedAxes(shape, items));
    const std::size_t at = axes.itemAxis();
    if (axes.rank() != shape.size() || (at < shape.size() && shape[at] != items)) {
      axes = suggestedAxes(shape, items);
    }
    others.push_back({name, axes, *std::move(values)});
  }
  if (!left_out.empty()) {
    const auto shown = left_out.begin() + std::min<std::ptrdiff_t>(std::ssize(left_out), kMaxNamed);
    notes.push_back(fmt::format(
        "left out of the file, because only {} unknown arrays of numbers with up to {} axes are "
        "kept: {}{}",
        kMaxOthers, RunAxes::kMaxRank, fmt::join(left_out.begin(), shown, ", "),
        shown == left_out.end() ? "" : fmt::format(" and {} more", left_out.end() - shown)));
  }
  return others;
}

Status writeArrays(const Run& run, const nlohmann::json& meta, NpzWriter& writer) {
  if (const auto conflict = shapeConflict(run)) {
    throw std::invalid_argument("writeRun: " + *conflict);
  }
  json described = meta;
  for (const NamedArray& array : arraysOf(run)) {
    stateAxes(array.key, array.axes, described);
    if (Status added = writer.add(array.key, array.values); !added) {
      return added;
    }
  }
  if (Status added = writer.addText(kMetaKey, metaText(described)); !added) {
    return added;
  }
  return writer.commit();
}

std::function<Status(std::uint64_t)> writingProgress(std::int64_t total_bytes,
                                                     RunContext& context) {
  return [total_bytes, &context](std::uint64_t bytes) {
    const auto done = std::min(static_cast<std::int64_t>(bytes), total_bytes);
    return context.step("writing", done, total_bytes) == Step::kCancel ? Status(cancelled())
                                                                       : Status();
  };
}

std::string metaText(const nlohmann::json& meta) {
  return jsonText(meta, -1);
}

}  // namespace dubito
