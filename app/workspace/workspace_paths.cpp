// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_paths.h"

#include <filesystem>
#include <system_error>

namespace dubito {
namespace {

namespace fs = std::filesystem;

bool leadsTo(const fs::path& way, const fs::path& target) {
  std::error_code error;
  return fs::equivalent(way, target, error) && !error;
}

}  // namespace

std::string absolutePath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  fs::path normal = (error ? fs::path(path) : absolute).lexically_normal();
  // "/a/" and "/a" are one folder.
  return normal.has_filename() || !normal.has_relative_path() ? normal.string()
                                                              : normal.parent_path().string();
}

std::string pathFrom(const std::string& folder, const std::string& path) {
  const fs::path way = fs::path(path).lexically_relative(folder);
  if (!way.empty() && leadsTo(fs::path(folder) / way, path)) {
    return way.generic_string();
  }
  // ".." after a symbolic link leads elsewhere, so try the paths with links resolved.
  std::error_code error;
  const fs::path real_folder = fs::weakly_canonical(folder, error);
  const fs::path real_way = fs::weakly_canonical(path, error).lexically_relative(real_folder);
  if (!error && !real_way.empty() && leadsTo(fs::path(folder) / real_way, path)) {
    return real_way.generic_string();
  }
  return path;
}

std::string pathIn(const std::string& folder, const std::string& path) {
  return absolutePath((fs::path(folder) / path).string());
}

}  // namespace dubito
