// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/hub_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/models/program/hub_configuration.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kConfiguration = "config.json";
constexpr const char* kPreprocessor = "preprocessor_config.json";

/// Of the configuration of a network, which mostly describes its layers.
constexpr std::array<const char*, 5> kOfNetwork = {"id2label", "label2id", "label_names",
                                                   "num_channels", "image_size"};
constexpr std::array<const char*, 6> kOfPretrained = {"input_size",    "mean",     "std",
                                                      "interpolation", "crop_pct", "crop_mode"};

/// Keys of a preprocessor that change nothing of the numbers.
constexpr std::array<std::string_view, 9> kWithoutEffect = {
    "image_processor_type",  "feature_extractor_type",
    "processor_class",       "auto_map",
    "_valid_processor_keys", "data_format",
    "input_data_format",     "do_convert_rgb",
    "default_to_square"};

template <std::size_t kCount>
void copyKeys(const json& from, const std::array<const char*, kCount>& keys, json& to) {
  for (const char* const key : keys) {
    if (from.contains(key) && !from[key].is_null()) {
      to[key] = from[key];
    }
  }
}

json ofConfiguration(const json& configuration) {
  json found = json::object();
  const auto writer = writerOf(configuration);
  if (!writer) {
    return found;
  }
  copyKeys(configuration, kOfNetwork, found);
  if (*writer == HubWriter::kTimm && configuration.contains("pretrained_cfg") &&
      configuration["pretrained_cfg"].is_object()) {
    copyKeys(configuration["pretrained_cfg"], kOfPretrained, found);
  }
  return found;
}

json ofPreprocessor(const json& preprocessor) {
  json found = json::object();
  for (const auto& [key, value] : preprocessor.items()) {
    if (!value.is_null() && std::ranges::find(kWithoutEffect, key) == kWithoutEffect.end()) {
      found[key] = value;
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> hubFilesFor(const std::string& model_path) {
  const fs::path path(model_path);
  if (!path.stem().string().starts_with("model")) {
    return {};
  }
  std::error_code ignored;
  fs::path folder = path.parent_path();
  if (!fs::exists(folder / kConfiguration, ignored) && folder.filename() == "onnx") {
    folder = folder.parent_path();
  }
  return {(folder / kConfiguration).string(), (folder / kPreprocessor).string()};
}

std::optional<HubDescription> hubDescriptionFor(const std::string& model_path) {
  const std::vector<std::string> files = hubFilesFor(model_path);
  if (files.empty()) {
    return std::nullopt;
  }
  HubDescription description{ofConfiguration(hubObjectIn(files.front())), kConfiguration};
  if (const json preprocessor = ofPreprocessor(hubObjectIn(files.back())); !preprocessor.empty()) {
    // It states the size of images more exactly than the network does.
    description.object.erase("image_size");
    description.source = description.object.empty()
                             ? kPreprocessor
                             : std::string(kConfiguration) + " and " + kPreprocessor;
    description.object.update(preprocessor);
  }
  return description.object.empty() ? std::nullopt : std::optional(std::move(description));
}

}  // namespace dubito
