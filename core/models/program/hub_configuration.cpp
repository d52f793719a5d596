// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/hub_configuration.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/regular_file.h"
#include "core/models/program/relaxed_json.h"

namespace dubito {

nlohmann::json hubObjectIn(const std::string& path) {
  constexpr std::uintmax_t kMaxBytes = 16U << 20U;
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed || size > kMaxBytes || !checkRegularFile(path)) {
    return {};
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  auto read = parseRelaxed(text);
  return read ? std::move(read->object) : nlohmann::json();
}

std::optional<HubWriter> writerOf(const nlohmann::json& configuration) {
  if (configuration.contains("architecture")) {
    return HubWriter::kTimm;
  }
  return configuration.contains("architectures") || configuration.contains("model_type")
             ? std::optional(HubWriter::kTransformers)
             : std::nullopt;
}

}  // namespace dubito
