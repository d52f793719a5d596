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
  /// Paths relative to the folder, separated by '/', in byte order.
  std::vector<std::string> images;
  /// Names of its direct subfolders, in byte order, including empty ones.
  std::vector<std::string> subfolders;
  std::int64_t other_files = 0;  ///< files without an image file extension
};

/// Lists `folder` recursively without opening files. Hidden files and folders, whose names begin
/// with a dot, are skipped; links to folders are followed only directly inside `folder`.
[[nodiscard]] Expected<FolderScan> scanFolder(const std::string& folder, RunContext& context);

/// FNV-1a of a relative path, without the sign bit: an id that does not change when the folder
/// moves or when files are added or removed.
[[nodiscard]] std::int64_t pathId(const std::string& relative_path);

/// The ids of distinct paths below `folder`. Fails if two paths have the same id, naming both.
[[nodiscard]] Expected<std::vector<std::int64_t>> pathIds(const std::string& folder,
                                                          const std::vector<std::string>& paths);

}  // namespace dubito
