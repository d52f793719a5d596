// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Content of a folder and its subfolders, without hidden files and folders.
struct ListedFiles {
  /// Files and links to files, also broken ones: paths relative to the folder, separated by '/',
  /// in byte order.
  std::vector<std::string> files;
  /// Names of the folders directly inside, in byte order.
  std::vector<std::string> folders;
};

/// Lists `folder` recursively. Links to folders are followed only directly inside `folder`.
/// kNotFound, kInvalidArgument if it is no folder, kReadFailed, kCancelled.
[[nodiscard]] Expected<ListedFiles> listFiles(const std::string& folder, RunContext& context);

}  // namespace dubito
