// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"

namespace dubito {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Names of Setting::Place in its order.
constexpr std::array<const char*, 4> kPlaces = {"option", "dataset", "metadata", "words"};

ordered_json settingToJson(const Setting& setting) {
  ordered_json object{{"name", setting.name},
                      {"value", setting.value},
                      {"place", kPlaces[static_cast<std::size_t>(setting.place)]}};
  if (setting.omitted) {
    object["omitted"] = true;
  }
  return object;
}

ordered_json remedyToJson(const Remedy& remedy) {
  ordered_json object = ordered_json::object();
  for (const Setting& setting : remedy.settings) {
    object["settings"].push_back(settingToJson(setting));
  }
  if (!remedy.lines.empty()) {
    object["lines"] = remedy.lines;
  }
  for (const OutputOption& output : remedy.outputs) {
    object["outputs"].push_back(
        {{"name", output.name}, {"shape", output.shape}, {"can_be_scores", output.can_be_scores}});
  }
  if (remedy.needs_images) {
    object["needs_images"] = true;
  }
  if (remedy.needs_input_size) {
    object["needs_input_size"] = true;
  }
  return object;
}

/// The member `key`; null if there is none, or if `object` is no object.
const json& memberOf(const json& object, const char* key) {
  static const json kMissing;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? kMissing : *found;
}

std::string textAt(const json& object, const char* key) {
  const json& member = memberOf(object, key);
  return member.is_string() ? member.get<std::string>() : std::string();
}

bool flagAt(const json& object, const char* key) {
  const json& member = memberOf(object, key);
  return member.is_boolean() && member.get<bool>();
}

/// The list at `key`; an empty one if there is no list.
const json& listAt(const json& object, const char* key) {
  static const json kEmpty = json::array();
  const json& member = memberOf(object, key);
  return member.is_array() ? member : kEmpty;
}

Setting settingFromJson(const json& object) {
  Setting setting{textAt(object, "name"), textAt(object, "value")};
  const std::string place = textAt(object, "place");
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    if (place == kPlaces[i]) {
      setting.place = static_cast<Setting::Place>(i);
    }
  }
  setting.omitted = flagAt(object, "omitted");
  return setting;
}

Remedy remedyFromJson(const json& object) {
  Remedy remedy;
  for (const json& setting : listAt(object, "settings")) {
    remedy.settings.push_back(settingFromJson(setting));
  }
  remedy.lines = textAt(object, "lines");
  for (const json& output : listAt(object, "outputs")) {
    remedy.outputs.push_back(
        {textAt(output, "name"), textAt(output, "shape"), flagAt(output, "can_be_scores")});
  }
  remedy.needs_images = flagAt(object, "needs_images");
  remedy.needs_input_size = flagAt(object, "needs_input_size");
  return remedy;
}

ErrorCode codeAt(const json& object) {
  const json& member = memberOf(object, "code");
  if (!member.is_number_integer()) {
    return ErrorCode::kInternal;
  }
  const auto code = member.get<std::int64_t>();
  return code < 0 || code > static_cast<std::int64_t>(ErrorCode::kUsage)
             ? ErrorCode::kInternal
             : static_cast<ErrorCode>(code);
}

}  // namespace

ordered_json errorToJson(const Error& error) {
  ordered_json object{
      {"error", error.message}, {"code", static_cast<int>(error.code)}, {"context", error.context}};
  if (ordered_json remedy = remedyToJson(error.remedy); !remedy.empty()) {
    object["remedy"] = std::move(remedy);
  }
  return object;
}

Error errorFromJson(const json& object) {
  return {codeAt(object), textAt(object, "error"), textAt(object, "context"),
          remedyFromJson(memberOf(object, "remedy"))};
}

}  // namespace dubito
