// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// The image files below a folder.
struct FolderScan {
  /// Relative to the folder, '/' between the parts, in the order of their bytes.
  std::vector<std::string> images;
  /// Names of the folders directly inside, in the order of their bytes, also empty ones.
  std::vector<std::string> subfolders;
  std::int64_t other_files = 0;  ///< files whose ending names no image format
};

/// Lists `folder` and what is below it without opening a file. Hidden files and folders (a dot
/// first) are passed over; links to folders are not followed, except directly inside `folder`.
[[nodiscard]] Expected<FolderScan> scanFolder(const std::string& folder, RunContext& context);

/// FNV-1a over the bytes of a relative path, without the sign bit: an id that neither moves with
/// the folder nor changes when other files come and go.
[[nodiscard]] std::int64_t pathId(const std::string& relative_path);

/// The ids of different paths below `folder`. Two that would get the same id are an error that
/// names both.
[[nodiscard]] Expected<std::vector<std::int64_t>> pathIds(const std::string& folder,
                                                          const std::vector<std::string>& paths);

}  // namespace dubito
