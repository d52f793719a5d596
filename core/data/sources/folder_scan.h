// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// The image files below a folder, and what was found next to them. Paths are relative to the
/// folder and separated by '/'; lists are in byte order.
struct FolderScan {
  std::vector<std::string> images;
  /// Names of its direct subfolders, including empty ones.
  std::vector<std::string> subfolders;
  std::vector<std::string> other_files;  ///< files that are not images
  /// Images of formats that are not decoded: "a/x.gif (GIF)".
  std::vector<std::string> undecoded;
  std::int64_t hidden = 0;  ///< hidden files and folders
  /// Folders that file systems and archive programs add ("__MACOSX").
  std::vector<std::string> system_folders;
  std::vector<std::string> links_followed;  ///< links to folders
  /// Links to folders that were listed already: loops, and second links to the same folder.
  std::vector<std::string> links_cut;
};

/// Lists `folder` recursively. Which files are images is decided by their contents, except that the
/// usual extensions of images are believed and those of texts and arrays are not looked into.
/// Hidden files and folders, whose names begin with a dot, and system folders are skipped. Each
/// folder is listed once: links are followed after all other folders, unless they lead to a folder
/// that was listed already.
[[nodiscard]] Expected<FolderScan> scanFolder(const std::string& folder, RunContext& context);

/// Sentences about all that was found next to the images.
[[nodiscard]] std::vector<std::string> notesOf(const FolderScan& scan);

/// FNV-1a of a relative path, without the sign bit: an id that does not change when the folder
/// moves or when files are added or removed.
[[nodiscard]] std::int64_t pathId(const std::string& relative_path);

/// The ids of distinct paths below `folder`. Fails if two paths have the same id, naming both.
[[nodiscard]] Expected<std::vector<std::int64_t>> pathIds(const std::string& folder,
                                                          const std::vector<std::string>& paths);

}  // namespace dubito
