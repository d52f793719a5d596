// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/methods/preset_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "core/io/atomic_file.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kPresetFormat = "dubito-lab";
constexpr int kPresetVersion = 1;

}  // namespace

tl::unexpected<Error> badPreset(const std::string& name, const std::string& reason) {
  return fail(
      ErrorCode::kMalformed,
      fmt::format("{}: is no preset of this laboratory ({}); save one from the page Labs to "
                  "compare",
                  name, reason));
}

json presetHead(const std::string& laboratory) {
  return {
      {"format", kPresetFormat}, {"schema_version", kPresetVersion}, {"laboratory", laboratory}};
}

Status checkPresetHead(const json& object, const std::string& laboratory, const std::string& name) {
  if (object.at("format") != kPresetFormat || object.at("laboratory") != laboratory) {
    return badPreset(name, "it was saved by something else");
  }
  if (object.at("schema_version").get<int>() > kPresetVersion) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: was written by a newer version of the program; update it", name));
  }
  return {};
}

Status writePresetFile(const std::string& path, const json& object) {
  return writeFileAtomically(path, object.dump(2) + "\n");
}

Expected<json> readPresetFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read; check that it exists and its permissions", path));
  }
  json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) {
    return badPreset(path, "it is not JSON");
  }
  return object;
}

}  // namespace dubito
