// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/folder_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> kImageEndings{".jpg", ".jpeg", ".png", ".bmp",
                                                   ".tif", ".tiff", ".webp"};

bool isHidden(const fs::path& path) {
  return path.filename().string().rfind('.', 0) == 0;
}

bool hasImageExtension(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return std::find(kImageEndings.begin(), kImageEndings.end(), ending) != kImageEndings.end();
}

/// Walks the folders one by one; pending relative paths are in `pending_`.
class Scanner {
 public:
  explicit Scanner(fs::path root) : root_(std::move(root)) {}

  Expected<FolderScan> scan(RunContext& context) {
    pending_.emplace_back();
    while (!pending_.empty()) {
      const fs::path folder = pending_.back();
      pending_.pop_back();
      if (Status status = list(folder, context); !status) {
        return failWith(status);
      }
    }
    std::sort(result_.images.begin(), result_.images.end());
    std::sort(result_.subfolders.begin(), result_.subfolders.end());
    return std::move(result_);
  }

 private:
  Status list(const fs::path& folder, RunContext& context) {
    constexpr std::int64_t kEntriesPerStep = 4096;
    std::error_code error;
    fs::directory_iterator entries(root_ / folder, error);
    for (std::int64_t count = 0; !error && entries != fs::directory_iterator();
         entries.increment(error), ++count) {
      if (count % kEntriesPerStep == 0 &&
          context.step("list", static_cast<std::int64_t>(result_.images.size()), 0) ==
              Step::kCancel) {
        return cancelled();
      }
      add(folder, *entries);
    }
    if (error) {
      return fail(ErrorCode::kReadFailed,
                  fmt::format("{}: cannot be listed ({}); check its permissions",
                              (root_ / folder).string(), error.message()));
    }
    return {};
  }

  void add(const fs::path& folder, const fs::directory_entry& entry) {
    const fs::path relative = folder / entry.path().filename();
    if (isHidden(relative)) {
      return;
    }
    std::error_code ignored;
    if (entry.is_directory(ignored)) {
      if (folder.empty()) {
        result_.subfolders.push_back(relative.string());
      }
      // Links further down could lead back up.
      if (folder.empty() || !entry.is_symlink(ignored)) {
        pending_.push_back(relative);
      }
    } else if (hasImageExtension(relative)) {
      result_.images.push_back(relative.generic_string());
    } else {
      ++result_.other_files;
    }
  }

  fs::path root_;
  std::vector<fs::path> pending_;
  FolderScan result_;
};

}  // namespace

Expected<FolderScan> scanFolder(const std::string& folder, RunContext& context) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such folder; check the path", folder));
  }
  if (!fs::is_directory(status)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: this is not a folder; give the folder that holds the images", folder));
  }
  return Scanner(folder).scan(context);
}

std::int64_t pathId(const std::string& relative_path) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char byte : relative_path) {
    hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001B3ULL;
  }
  return static_cast<std::int64_t>(hash & 0x7FFFFFFFFFFFFFFFULL);
}

Expected<std::vector<std::int64_t>> pathIds(const std::string& folder,
                                            const std::vector<std::string>& paths) {
  std::vector<std::int64_t> ids;
  ids.reserve(paths.size());
  std::unordered_map<std::int64_t, std::size_t> seen;
  seen.reserve(paths.size());
  for (const std::string& path : paths) {
    ids.push_back(pathId(path));
    const auto [other, is_new] = seen.emplace(ids.back(), ids.size() - 1);
    if (!is_new) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: {} and {} would get the same id; rename one of them", folder,
                              paths[other->second], path));
    }
  }
  return ids;
}

}  // namespace dubito
