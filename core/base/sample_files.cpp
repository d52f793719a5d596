// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sample_files.h"

#include <cstdlib>
#include <system_error>
#include <vector>

#include "core/base/next_to_executable.h"

namespace dubito {

std::optional<std::filesystem::path> findSampleFolder(const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  if (const char* const named = std::getenv("DUBITO_SAMPLES"); named != nullptr) {
    places.emplace_back(named);
  }
  const std::vector<std::string> next_to_program = pathsNextToExecutable("");
  if (!next_to_program.empty()) {
    const fs::path program(next_to_program.front());
    // Installed, the programs are in lib/dubito.
    places.push_back((program / "../../share/dubito/samples").lexically_normal());
    places.emplace_back(DUBITO_SOURCE_SAMPLES);
    places.push_back((program / "../../../datasets/samples").lexically_normal());
  }
  for (const fs::path& place : places) {
    std::error_code ignored;
    if (fs::exists(place / name, ignored)) {
      return place;
    }
  }
  return std::nullopt;
}

std::optional<std::string> findSampleFile(const std::string& name) {
  const auto folder = findSampleFolder(name);
  return folder ? std::optional((*folder / name).string()) : std::nullopt;
}

}  // namespace dubito
