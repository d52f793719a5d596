// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/preset/lab_preset.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/json_integer.h"
#include "core/base/regular_file.h"
#include "core/io/atomic_file.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr int kPresetVersion = 4;

/// Fills in what `version` did not store, as that version showed it.
void completeOldVersion(const LaboratoryInfo& info, int version, json& object) {
  if (version < 2 && info.id == Laboratory::kRegressionMethods) {
    object.emplace("axes", nullptr);
  }
  if (version < 2 && info.id == Laboratory::kClassificationMethods) {
    object.emplace("functions", true);
  }
  if (version < 3 && info.id == Laboratory::kSampler) {
    object.emplace("views", json::array({"trace", "autocorrelation"}));
  }
  if (version < 4 && info.id == Laboratory::kRegressionMethods) {
    object.emplace("details", json{{"view", "course"}, {"course_of", ""}, {"input", nullptr}});
  }
}

}  // namespace

tl::unexpected<Error> badLabPreset(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: is no preset of a laboratory ({}); save one from the page Labs to "
                          "compare",
                          path, reason));
}

json labPresetToJson(const LabPreset& preset) {
  json object = preset.set_up;
  object["format"] = kLabPresetFormat;
  object["schema_version"] = kPresetVersion;
  object["laboratory"] = describe(preset.laboratory).key;
  return object;
}

Status saveLabPreset(const std::string& path, const LabPreset& preset) {
  return writeFileAtomically(path, labPresetToJson(preset).dump(2) + "\n");
}

Expected<std::string> readLabText(const std::string& path) {
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check that it exists and its permissions", path));
  }
  return text;
}

Expected<LabPreset> openLabPreset(const std::string& path) {
  const auto text = readLabText(path);
  return text ? parseLabPreset(*text, path) : failWith(text);
}

Expected<LabPreset> labPresetFromJson(json object, const std::string& path) {
  try {
    if (object.at("format") != kLabPresetFormat) {
      return badLabPreset(path, "it was saved by something else");
    }
    const int version = integerFrom<int>(object.at("schema_version"));
    if (version > kPresetVersion) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: was written by a newer version of the program; update it", path));
    }
    const auto key = object.at("laboratory").get<std::string>();
    const LaboratoryInfo* const info = findLaboratory(key);
    if (info == nullptr) {
      return badLabPreset(path, fmt::format("there is no laboratory {}", key));
    }
    completeOldVersion(*info, version, object);
    return LabPreset{info->id, std::move(object)};
  } catch (const json::exception& exception) {
    return badLabPreset(path, exception.what());
  }
}

Expected<LabPreset> parseLabPreset(const std::string& text, const std::string& path) {
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return badLabPreset(path, "it is not JSON");
  }
  return labPresetFromJson(std::move(object), path);
}

}  // namespace dubito
