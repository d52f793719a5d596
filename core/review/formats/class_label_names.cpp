// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/class_label_names.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "core/io/csv.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/small_text.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The names of the first ClassLabel among features; a feature called label comes first.
std::vector<std::string> namesOfFeatures(const json& features) {
  std::vector<std::string> names;
  const auto read = [&names](const json& feature) {
    for (const json& each : listMember(feature, "names")) {
      names.push_back(each.is_string() ? each.get<std::string>() : std::string());
    }
  };
  for (const char* const usual : {"label", "labels"}) {
    if (const json* const feature = memberOf(features, usual);
        feature != nullptr && names.empty()) {
      read(*feature);
    }
  }
  for (const json& feature : features.is_object() ? features : json::object()) {
    if (names.empty()) {
      read(feature);
    }
  }
  return names;
}

std::vector<std::string> namesOfJson(const std::string& path) {
  const auto text = smallText(path);
  const auto info = text ? parseJson(*text, path, "download it again") : Expected<json>(json());
  if (!info || !info->is_object()) {
    return {};
  }
  if (const json* const features = memberOf(*info, "features")) {
    return namesOfFeatures(*features);
  }
  // One object per configuration.
  for (const json& each : *info) {
    if (const json* const features = memberOf(each, "features")) {
      if (std::vector<std::string> names = namesOfFeatures(*features); !names.empty()) {
        return names;
      }
    }
  }
  return {};
}

/// "class_label:", "names:" and then "'0': cat" line by line.
std::vector<std::string> namesOfCard(std::string_view text) {
  enum class Place : std::uint8_t { kOutside, kLabel, kNames } place = Place::kOutside;
  std::vector<std::string> names;
  for (const std::string_view line : trimmedLines(text)) {
    if (line.starts_with("class_label:")) {
      place = Place::kLabel;
    } else if (place == Place::kLabel && line.starts_with("names:")) {
      place = Place::kNames;
    } else if (place == Place::kNames) {
      const std::size_t colon = line.find(':');
      const auto number = colon == std::string_view::npos
                              ? std::nullopt
                              : parseInteger(unquoted(line.substr(0, colon)));
      if (number != std::ssize(names)) {
        break;
      }
      names.push_back(unquoted(line.substr(colon + 1)));
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> classLabelNames(const std::string& folder) {
  std::vector<std::string> names;
  for (const char* const file : {"dataset_info.json", "dataset_infos.json"}) {
    names = names.empty() ? namesOfJson((fs::path(folder) / file).string()) : names;
  }
  if (names.empty()) {
    if (const auto card = smallText((fs::path(folder) / "README.md").string())) {
      names = namesOfCard(*card);
    }
  }
  const std::set<std::string> distinct(names.begin(), names.end());
  return distinct.size() == names.size() && !distinct.contains("") ? names
                                                                   : std::vector<std::string>();
}

}  // namespace dubito
