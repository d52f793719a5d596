// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/splitmix64.h"
#include "core/data/sources/dataset_kinds.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

bool looksLikeOptions(std::string_view tail) {
  const std::vector<std::string> parts = split(tail, '&');
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    const std::size_t equals = part.find('=');
    return equals != std::string_view::npos && isDatasetKey(part.substr(0, equals));
  });
}

/// Start of the options: the position of their '?', or npos.
std::size_t findOptions(std::string_view text) {
  const std::size_t mark = text.rfind('?');
  if (mark == std::string_view::npos) {
    return mark;
  }
  const bool ends_path_with_options =
      mark + 1 == text.size() && findOptions(text.substr(0, mark)) != std::string_view::npos;
  return ends_path_with_options || looksLikeOptions(text.substr(mark + 1)) ? mark
                                                                           : std::string_view::npos;
}

/// The options of this scheme whose values are specifications.
std::vector<std::string> specificationKeys(const std::string& scheme) {
  std::vector<std::string> keys;
  for (const DatasetOption& option : datasetOptions(scheme)) {
    if (option.is_specification) {
      keys.push_back(option.info.name);
    }
  }
  return keys;
}

int hexDigit(char digit) {
  const auto found = std::string_view("0123456789abcdef")
                         .find(static_cast<char>(std::tolower(static_cast<unsigned char>(digit))));
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

Expected<ItemRange> parseItems(const std::string& value, const std::string& text) {
  const std::vector<std::string> ends = split(value, ':');
  ItemRange range;
  bool understood = ends.size() == 2 || ends.size() == 3;
  if (understood && !ends[0].empty()) {
    range.begin = parseNumber<std::int64_t>(ends[0]);
    understood = range.begin.has_value();
  }
  if (understood && !ends[1].empty()) {
    range.end = parseNumber<std::int64_t>(ends[1]);
    understood = range.end.has_value();
  }
  if (understood && ends.size() == 3) {
    range.step = parseNumber<std::int64_t>(ends[2]).value_or(0);
    understood = range.step != 0;
  }
  if (!understood) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} is not a range of items; write FIRST:END or FIRST:END:STEP, "
                            "for example 0:1000, -100: or ::-1",
                            text, inQuotes(value)),
                {datasetSetting("items", "FIRST:END")});
  }
  return range;
}

constexpr std::string_view kHeldOut = "held-out:";
constexpr std::string_view kRest = "rest:";

Expected<ItemPart> parsePart(const std::string& value, const std::string& text) {
  ItemPart part;
  part.is_rest = value.starts_with(kRest);
  const std::string_view name = part.is_rest ? kRest : kHeldOut;
  part.count = value.starts_with(name)
                   ? parseNumber<std::int64_t>(value.substr(name.size())).value_or(0)
                   : 0;
  if (part.count < 1) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} is not a part of the items; write held-out:N for N items drawn "
                            "at random, or rest:N for the others",
                            text, inQuotes(value)),
                {datasetSetting("part", "held-out:N")});
  }
  return part;
}

Status setOption(DatasetSpec& spec, const std::string& key, const std::string& value,
                 const std::string& text) {
  if (value.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the option {} has no value; give it one", text, key),
                {datasetSetting(key, "VALUE")});
  }
  if (key == "items") {
    Expected<ItemRange> range = parseItems(value, text);
    if (!range) {
      return failWith(range);
    }
    spec.items = *range;
  } else if (key == "classes") {
    // A single number is the number of classes; "3," is a list of class 3 only.
    const DatasetKind* const kind = findDatasetKind(spec.scheme);
    const std::string count = kind == nullptr ? "" : kind->classCountOption(spec.location);
    if (!count.empty() && parseNumber<std::int64_t>(value)) {
      spec.extra[count] = value;
      return {};
    }
    for (std::string& part : split(value, ',')) {
      if (!part.empty()) {
        spec.classes.push_back(std::move(part));
      }
    }
    if (spec.classes.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: {} names no class; write their numbers, such as 0,1,2, or "
                              "their names",
                              text, inQuotes(value)),
                  {datasetSetting("classes", "0,1,2")});
    }
  } else if (key == "part") {
    Expected<ItemPart> part = parsePart(value, text);
    if (!part) {
      return failWith(part);
    }
    spec.part = *part;
  } else if (key == "role") {
    Expected<Role> role = parseRole(value);
    if (!role) {
      return failOf(text, role.error());
    }
    spec.role = *role;
  } else if (key == "corrupt") {
    Expected<Corruption> corruption = parseCorruption(value);
    if (!corruption) {
      return failOf(text, corruption.error());
    }
    spec.corruption = *corruption;
  } else if (key == "name") {
    spec.name = value;
  } else {
    std::vector<std::string> known(kCommonDatasetKeys.begin(), kCommonDatasetKeys.end());
    for (const DatasetOption& option : datasetOptions(spec.scheme)) {
      if (option.info.name == key) {
        spec.extra[key] = option.is_specification ? unescapedSpec(value) : value;
        return {};
      }
      known.push_back(option.info.name);
    }
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: unknown option '{}'; use one of {}",
                                                         text, key, fmt::join(known, ", ")));
  }
  return {};
}

/// Refuses a specification in an option whose own options were not escaped, so that its part before
/// them was taken for the path.
Status checkEscaped(const DatasetSpec& spec, const std::string& text) {
  const std::size_t options = findOptions(spec.location);
  for (const std::string& key : specificationKeys(spec.scheme)) {
    if (!spec.scheme.empty() && options != std::string::npos &&
        spec.location.find(key + "=", options) != std::string::npos) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: the specification in {}= has options itself; write their ? and "
                              "& as %3F and %26",
                              text, key));
    }
  }
  return {};
}

}  // namespace

std::vector<std::int64_t> ItemRange::positions(std::int64_t size) const {
  // Going backwards, the position before the first item (-1) acts as the end of the list.
  const std::int64_t lowest = step > 0 ? 0 : -1;
  const std::int64_t highest = step > 0 ? size : size - 1;
  const auto place = [&](std::int64_t position) {
    return std::clamp(position < 0 ? position + size : position, lowest, highest);
  };
  const std::int64_t first = begin ? place(*begin) : (step > 0 ? lowest : highest);
  const std::int64_t last = end ? place(*end) : (step > 0 ? highest : lowest);
  std::vector<std::int64_t> result;
  for (std::int64_t position = first; step > 0 ? position < last : position > last;
       position += step) {
    result.push_back(position);
  }
  return result;
}

std::vector<std::int64_t> ItemPart::of(const std::vector<std::int64_t>& rows,
                                       std::span<const std::int64_t> ids) const {
  std::vector<std::pair<std::uint64_t, std::int64_t>> drawn;
  drawn.reserve(rows.size());
  for (const std::int64_t row : rows) {
    drawn.emplace_back(splitmix64(static_cast<std::uint64_t>(ids[static_cast<std::size_t>(row)])),
                       row);
  }
  const auto last = drawn.begin() + std::min(count, std::ssize(drawn));
  std::ranges::nth_element(drawn, last);
  std::set<std::int64_t> held_out;
  for (auto item = drawn.begin(); item != last; ++item) {
    held_out.insert(item->second);
  }
  std::vector<std::int64_t> kept = rows;
  std::erase_if(kept, [&](std::int64_t row) { return held_out.contains(row) == is_rest; });
  return kept;
}

std::string toString(const ItemPart& part) {
  return fmt::format("{}{}", part.is_rest ? kRest : kHeldOut, part.count);
}

std::string escapedSpec(std::string_view spec) {
  std::string escaped;
  for (const char letter : spec) {
    escaped += letter == '%'   ? "%25"
               : letter == '?' ? "%3F"
               : letter == '&' ? "%26"
                               : std::string(1, letter);
  }
  return escaped;
}

std::string unescapedSpec(std::string_view value) {
  std::string spec;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const int high = value[i] == '%' && i + 2 < value.size() ? hexDigit(value[i + 1]) : -1;
    const int low = high < 0 ? -1 : hexDigit(value[i + 2]);
    spec += low < 0 ? value[i] : static_cast<char>(16 * high + low);
    i += low < 0 ? 0 : 2;
  }
  return spec;
}

Expected<DatasetSpec> parseDatasetSpec(const std::string& text) {
  DatasetSpec spec;
  std::error_code ignored;
  const bool is_path = fs::exists(text, ignored);
  const std::size_t options = is_path ? std::string::npos : findOptions(text);
  spec.location = text.substr(0, options);

  const std::size_t colon = spec.location.find(':');
  if (!is_path && colon != std::string::npos && !fs::exists(spec.location, ignored)) {
    const std::string scheme = spec.location.substr(0, colon);
    if (findDatasetKind(scheme) != nullptr) {
      spec.scheme = scheme;
      spec.location.erase(0, colon + 1);
    } else if (isDatasetKey(scheme)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: unknown dataset kind '{}'; use one of {}, or a path", text,
                              scheme, fmt::join(datasetSchemes(), ", ")));
    }
  }
  if (spec.location.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' names no dataset; write a path, or one of {}", text,
                            fmt::join(datasetForms(), ", ")));
  }
  if (Status escaped = checkEscaped(spec, text); !escaped) {
    return failWith(escaped);
  }
  if (options != std::string::npos && options + 1 < text.size()) {
    for (const std::string& part : split(std::string_view(text).substr(options + 1), '&')) {
      const std::size_t equals = part.find('=');
      Status set = setOption(spec, part.substr(0, equals), part.substr(equals + 1), text);
      if (!set) {
        return failWith(set);
      }
    }
  }
  return spec;
}

std::string toString(const DatasetSpec& spec) {
  std::vector<std::string> options;
  const std::vector<std::string> specifications = specificationKeys(spec.scheme);
  for (const auto& [key, value] : spec.extra) {
    const bool escapes = std::ranges::find(specifications, key) != specifications.end();
    options.push_back(key + "=" + (escapes ? escapedSpec(value) : value));
  }
  if (spec.items) {
    const auto end = [](const std::optional<std::int64_t>& value) {
      return value ? std::to_string(*value) : std::string();
    };
    const std::string step = spec.items->step == 1 ? "" : fmt::format(":{}", spec.items->step);
    options.push_back("items=" + end(spec.items->begin) + ":" + end(spec.items->end) + step);
  }
  if (!spec.classes.empty()) {
    options.push_back(fmt::format("classes={}{}", fmt::join(spec.classes, ","),
                                  spec.classes.size() == 1 ? "," : ""));
  }
  if (spec.part) {
    options.push_back("part=" + toString(*spec.part));
  }
  if (spec.role) {
    options.push_back("role=" + toString(*spec.role));
  }
  if (spec.corruption) {
    options.push_back("corrupt=" + toString(*spec.corruption));
  }
  if (spec.name) {
    options.push_back("name=" + *spec.name);
  }
  const bool needs_end = !spec.scheme.empty() && findOptions(spec.location) != std::string::npos;
  return fmt::format("{}{}{}{}{}", spec.scheme, spec.scheme.empty() ? "" : ":", spec.location,
                     options.empty() && !needs_end ? "" : "?", fmt::join(options, "&"));
}

Expected<std::int64_t> integerOption(const DatasetSpec& spec, const std::string& key,
                                     std::int64_t fallback, std::int64_t low, std::int64_t high) {
  const auto found = spec.extra.find(key);
  if (found == spec.extra.end()) {
    return fallback;
  }
  const std::optional<std::int64_t> number = parseNumber<std::int64_t>(found->second);
  if (!number || *number < low || *number > high) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {}={} is not valid; give a whole number from {} to {}",
                            toString(spec), key, found->second, low, high));
  }
  return *number;
}

Expected<double> realOption(const DatasetSpec& spec, const std::string& key, double fallback,
                            double low, double high) {
  const auto found = spec.extra.find(key);
  if (found == spec.extra.end()) {
    return fallback;
  }
  const std::optional<double> number = parseNumber<double>(found->second);
  if (!number || !(*number >= low && *number <= high)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {}={} is not valid; give a number from {} to {}", toString(spec),
                            key, found->second, low, high));
  }
  return *number;
}

}  // namespace dubito
