// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/listed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Lists one folder; folders found are appended to `pending`.
Status listOneFolder(const fs::path& root, const fs::path& folder, std::vector<fs::path>& pending,
                     ListedFiles& listed) {
  std::error_code error;
  fs::directory_iterator entries(root / folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const fs::path relative = folder / entries->path().filename();
    if (relative.filename().native().starts_with('.')) {
      continue;
    }
    std::error_code ignored;
    const bool link = entries->is_symlink(ignored);
    if (entries->is_directory(ignored)) {
      if (folder.empty()) {
        listed.folders.push_back(relative.string());
      }
      // Links further down could lead back up.
      if (folder.empty() || !link) {
        pending.push_back(relative);
      }
    } else if (link || entries->is_regular_file(ignored)) {
      listed.files.push_back(relative.generic_string());
    }
  }
  if (error) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be listed ({}); check its permissions",
                            (root / folder).string(), error.message()));
  }
  return {};
}

}  // namespace

Expected<ListedFiles> listFiles(const std::string& folder, RunContext& context) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such folder; check the path", folder));
  }
  if (!fs::is_directory(status)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is not a folder; give the folder of the exported files", folder));
  }
  ListedFiles listed;
  std::vector<fs::path> pending{fs::path()};
  while (!pending.empty()) {
    const fs::path next = pending.back();
    pending.pop_back();
    if (context.step("listing", static_cast<std::int64_t>(listed.files.size()), 0) ==
        Step::kCancel) {
      return cancelled();
    }
    if (Status status_of_one = listOneFolder(folder, next, pending, listed); !status_of_one) {
      return failWith(status_of_one);
    }
  }
  std::ranges::sort(listed.files);
  std::ranges::sort(listed.folders);
  return listed;
}

}  // namespace dubito
