// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_preset.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/atomic_file.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kPresetFormat = "dubito-lab";
constexpr const char* kLaboratory = "regression";
constexpr int kPresetVersion = 1;

tl::unexpected<Error> badPreset(const std::string& name, const std::string& reason) {
  return fail(
      ErrorCode::kMalformed,
      fmt::format("{}: is no preset of this laboratory ({}); save one from the page Labs to "
                  "compare",
                  name, reason));
}

Status readMethods(const json& methods, RegressionPreset& preset) {
  for (const json& entry : methods) {
    const auto key = entry.at("method").get<std::string>();
    const RegressionMethodInfo* const info = findRegressionMethod(key);
    if (info == nullptr) {
      return fail(ErrorCode::kMalformed, fmt::format("unknown method {}", key));
    }
    std::shared_ptr<RegressionMethod> method = info->make();
    if (Status set = fieldsFromJson(entry.at("options"), method->fields()); !set) {
      return set;
    }
    if (Status checked = method->check(); !checked) {
      return checked;
    }
    preset.methods.push_back({info, std::move(method)});
  }
  return {};
}

}  // namespace

json presetToJson(const RegressionPreset& preset) {
  RegressionLabOptions options = preset.options;
  json methods = json::array();
  for (const RegressionPreset::Method& method : preset.methods) {
    methods.push_back(
        {{"method", method.info->key}, {"options", fieldsToJson(method.method->fields())}});
  }
  json data = preset.data;
  if (preset.own_points) {
    data = {{"x", preset.own_points->x}, {"y", preset.own_points->y}};
  }
  return {{"format", kPresetFormat},   {"schema_version", kPresetVersion},
          {"laboratory", kLaboratory}, {"data", data},
          {"seed", preset.seed},       {"options", fieldsToJson(options.fields())},
          {"methods", methods}};
}

Expected<RegressionPreset> presetFromJson(const json& object, const std::string& name) {
  try {
    if (object.at("format") != kPresetFormat || object.at("laboratory") != kLaboratory) {
      return badPreset(name, "it was saved by something else");
    }
    if (object.at("schema_version").get<int>() > kPresetVersion) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: was written by a newer version of the program; update it", name));
    }
    RegressionPreset preset;
    const json& data = object.at("data");
    if (data.is_string()) {
      preset.data = data.get<std::string>();
    } else {
      preset.own_points = RegressionPoints{data.at("x").get<std::vector<double>>(),
                                           data.at("y").get<std::vector<double>>()};
      if (preset.own_points->x.empty() ||
          preset.own_points->x.size() != preset.own_points->y.size()) {
        return badPreset(name, "x and y are empty or differ in length");
      }
    }
    preset.seed = object.at("seed").get<std::uint64_t>();
    Status read = fieldsFromJson(object.at("options"), preset.options.fields());
    read = read ? preset.options.check() : read;
    read = read ? readMethods(object.at("methods"), preset) : read;
    if (!read) {
      return badPreset(name, read.error().message);
    }
    return preset;
  } catch (const json::exception& exception) {
    return badPreset(name, exception.what());
  }
}

Status savePreset(const std::string& path, const RegressionPreset& preset) {
  return writeFileAtomically(path, presetToJson(preset).dump(2) + "\n");
}

Expected<RegressionPreset> openPreset(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check that it exists and its permissions", path));
  }
  const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return badPreset(path, "it is not JSON");
  }
  return presetFromJson(object, path);
}

}  // namespace dubito
