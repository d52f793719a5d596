// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/next_to_executable.h"

#include <filesystem>

namespace dubito {

std::vector<std::string> pathsNextToExecutable(const std::string& name) {
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  const auto folder = executable.parent_path();
  return {(folder / name).string(), (folder.parent_path() / "lib" / name).string()};
}

}  // namespace dubito
