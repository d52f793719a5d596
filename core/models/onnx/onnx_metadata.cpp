// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/onnx_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/models/program/relaxed_json.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxText = 16U << 20U;

/// Our own metadata, whole.
constexpr std::array<std::string_view, 3> kOwn = {"dubito", "metadata.json", "metadata"};

/// Properties of other programs that describe classes and images. Others (author, license, ...)
/// would only be listed as ignored.
constexpr std::array<std::string_view, 24> kKnown = {
    "name",       "classes",    "class_names", "classnames",    "labels",       "names",
    "categories", "id2label",   "label2id",    "class_to_idx",  "idx_to_class", "output",
    "output_key", "input_size", "channels",    "channel_order", "mean",         "std",
    "scale",      "imgsz",      "image_size",  "interpolation", "crop_pct",     "pretrained_cfg"};

json listFrom(const std::string& text) {
  json names = json::array();
  const char separator = text.find('\n') != std::string::npos ? '\n' : ',';
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    std::string name = text.substr(begin, end - begin);
    name.erase(0, name.find_first_not_of(" \t\r"));
    name.erase(name.find_last_not_of(" \t\r") + 1);
    if (!name.empty()) {
      names.push_back(std::move(name));
    }
    begin = end + 1;
  }
  return names;
}

/// A property is text: JSON, what Python prints, or plain.
json valueFrom(std::string_view key, const std::string& text) {
  const auto wrapped = parseRelaxed(fmt::format("{{\"value\": {}}}", text));
  if (wrapped && wrapped->object.size() == 1 && wrapped->object.contains("value")) {
    return wrapped->object["value"];
  }
  const bool names_classes = key == "classes" || key == "class_names" || key == "classnames" ||
                             key == "labels" || key == "names" || key == "categories";
  return names_classes ? listFrom(text) : json(text);
}

}  // namespace

std::string metadataJson(const OnnxFile& file) {
  for (const std::string_view key : kOwn) {
    const auto found = file.metadata.find(key);
    if (found != file.metadata.end() && found->second.size() <= kMaxText &&
        parseRelaxed(found->second)) {
      return std::string(found->second);
    }
  }
  json object = json::object();
  for (const auto& [key, text] : file.metadata) {
    if (std::ranges::find(kKnown, key) != kKnown.end() && text.size() <= kMaxText) {
      object[std::string(key)] = valueFrom(key, shownText(text, kMaxText));
    }
  }
  return object.empty() ? std::string() : jsonText(object, 2);
}

std::string writtenBy(const OnnxFile& file) {
  const std::string producer =
      file.producer.empty() ? std::string("an unknown program") : shownText(file.producer, 60);
  const std::string version =
      file.producer_version.empty() ? "" : " " + shownText(file.producer_version, 40);
  const auto opset = file.opsets.find("");
  return fmt::format("by {}{} ({})", producer, version,
                     opset == file.opsets.end() ? std::string("no opset")
                                                : fmt::format("opset {}", opset->second));
}

}  // namespace dubito
