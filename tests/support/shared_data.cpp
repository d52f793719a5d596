// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/shared_data.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dubito::test {

std::filesystem::path sourceDir() {
  const char* const moved = std::getenv("DUBITO_SOURCE_DIR");
  return moved != nullptr && *moved != '\0' ? moved : DUBITO_SOURCE_DIR;
}

std::optional<std::filesystem::path> sharedDir() {
  const char* const dir = std::getenv("DUBITO_SHARED");
  if (dir == nullptr || !std::filesystem::is_directory(std::filesystem::path(dir) / "datasets")) {
    return std::nullopt;
  }
  return std::filesystem::path(dir);
}

nlohmann::json readVectors(const std::string& name) {
  const char* const dir = std::getenv("DUBITO_VECTORS");
  const std::filesystem::path folder = dir != nullptr && *dir != '\0'
                                           ? std::filesystem::path(dir)
                                           : sourceDir() / "tests" / "vectors";
  std::ifstream file(folder / (name + ".json"));
  if (!file) {
    throw std::runtime_error("reference vectors are missing: " +
                             (folder / (name + ".json")).string());
  }
  return nlohmann::json::parse(file);
}

}  // namespace dubito::test
