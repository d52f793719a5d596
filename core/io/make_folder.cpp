// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/make_folder.h"

#include <fmt/format.h>

#include <filesystem>

namespace dubito {

Status makeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: the folder cannot be created ({}); choose another folder", folder,
                            error.message()));
  }
  return {};
}

}  // namespace dubito
