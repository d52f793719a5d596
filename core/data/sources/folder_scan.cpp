// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/folder_scan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/lower_case.h"
#include "core/data/pixels/image_format.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

// Believed without looking, so that a folder of 100 000 photographs is listed without opening one.
constexpr std::array<std::string_view, 7> kImageEndings{".jpg", ".jpeg", ".png", ".bmp",
                                                        ".tif", ".tiff", ".webp"};
// Annotations are often as many as the images.
constexpr std::array<std::string_view, 15> kOtherEndings{".txt", ".json", ".xml",  ".csv", ".tsv",
                                                         ".md",  ".html", ".yaml", ".yml", ".py",
                                                         ".npy", ".npz",  ".pt",   ".log", ".zip"};
constexpr std::array<std::string_view, 6> kSystemFolders{
    "__MACOSX", "@eaDir", "$RECYCLE.BIN", "System Volume Information", "lost+found", "__pycache__"};

template <std::size_t kCount>
bool isOneOf(const std::string& text, const std::array<std::string_view, kCount>& list) {
  return std::ranges::find(list, text) != list.end();
}

bool isHidden(const fs::path& path) {
  return path.filename().string().rfind('.', 0) == 0;
}

std::vector<std::uint8_t> firstBytesOf(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return {};  // reading from a pipe could wait forever
  }
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes(kFormatBytes);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

/// Walks the folders one by one; pending relative paths are in `pending_`.
class Scanner {
 public:
  explicit Scanner(fs::path root) : root_(std::move(root)) {}

  Expected<FolderScan> scan(RunContext& context) {
    pending_.emplace_back();
    if (Status status = listPending(context); !status) {
      return failWith(status);
    }
    // After all folders that are reached without links, so that these keep their own paths.
    while (!links_.empty()) {
      std::ranges::sort(links_, std::greater<>());
      const fs::path link = links_.back();
      links_.pop_back();
      if (isNew(link)) {
        result_.links_followed.push_back(link.generic_string());
        pending_.push_back(link);
        if (Status status = listPending(context); !status) {
          return failWith(status);
        }
      } else {
        result_.links_cut.push_back(link.generic_string());
        std::erase(result_.subfolders, link.string());
      }
    }
    for (auto* const list : {&result_.images, &result_.subfolders, &result_.other_files,
                             &result_.undecoded, &result_.system_folders}) {
      std::ranges::sort(*list);
    }
    return std::move(result_);
  }

 private:
  /// Whether the folder is not listed yet; notes that it will be.
  bool isNew(const fs::path& folder) {
    struct stat status {};
    return ::stat((root_ / folder).c_str(), &status) != 0 ||
           listed_.emplace(status.st_dev, status.st_ino).second;
  }

  Status listPending(RunContext& context) {
    while (!pending_.empty()) {
      const fs::path folder = pending_.back();
      pending_.pop_back();
      if (Status status = list(folder, context); !status) {
        return status;
      }
    }
    return {};
  }

  Status list(const fs::path& folder, RunContext& context) {
    constexpr std::int64_t kEntriesPerStep = 4096;
    if (folder.empty()) {
      isNew(folder);
    }
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
      ++result_.hidden;
      return;
    }
    std::error_code ignored;
    if (!entry.is_directory(ignored)) {
      addFile(relative);
    } else if (isOneOf(relative.filename().string(), kSystemFolders)) {
      result_.system_folders.push_back(relative.generic_string());
    } else {
      if (folder.empty()) {
        result_.subfolders.push_back(relative.string());
      }
      if (entry.is_symlink(ignored)) {
        links_.push_back(relative);
      } else if (isNew(relative)) {
        pending_.push_back(relative);
      }
    }
  }

  void addFile(const fs::path& relative) {
    const std::string ending = lowerCaseEnding(relative);
    std::string name = relative.generic_string();
    if (isOneOf(ending, kImageEndings)) {
      result_.images.push_back(std::move(name));
      return;
    }
    const std::vector<std::uint8_t> bytes = isOneOf(ending, kOtherEndings)
                                                ? std::vector<std::uint8_t>()
                                                : firstBytesOf(root_ / relative);
    if (imageFormat(bytes)) {
      result_.images.push_back(std::move(name));
    } else if (const std::string_view format = undecodedFormat(bytes); !format.empty()) {
      result_.undecoded.push_back(fmt::format("{} ({})", name, format));
    } else {
      result_.other_files.push_back(std::move(name));
    }
  }

  fs::path root_;
  std::vector<fs::path> pending_;
  std::vector<fs::path> links_;
  std::set<std::pair<dev_t, ino_t>> listed_;
  FolderScan result_;
};

/// "3 files ...: a, b, c", with at most five names.
void noteList(const std::vector<std::string>& names, const char* one, const char* many,
              std::vector<std::string>& notes) {
  constexpr std::size_t kNamed = 5;
  if (!names.empty()) {
    notes.push_back(
        fmt::format("{} {}: {}{}", names.size(), names.size() == 1 ? one : many,
                    fmt::join(std::span(names).first(std::min(kNamed, names.size())), ", "),
                    names.size() > kNamed ? ", ..." : ""));
  }
}

}  // namespace

std::vector<std::string> notesOf(const FolderScan& scan) {
  std::vector<std::string> notes;
  noteList(scan.other_files, "file that is not an image was ignored",
           "files that are not images were ignored", notes);
  noteList(scan.undecoded,
           "image of a format that cannot be decoded was left out (convert it to PNG or JPEG)",
           "images of formats that cannot be decoded were left out (convert them to PNG or JPEG)",
           notes);
  noteList(scan.system_folders, "system folder was skipped", "system folders were skipped", notes);
  noteList(scan.links_followed, "link to a folder was followed", "links to folders were followed",
           notes);
  noteList(scan.links_cut,
           "link to a folder was not followed, because that folder is listed already",
           "links to folders were not followed, because those folders are listed already", notes);
  if (scan.hidden > 0) {
    notes.push_back(scan.hidden == 1
                        ? std::string("1 hidden file or folder was skipped")
                        : fmt::format("{} hidden files and folders were skipped", scan.hidden));
  }
  return notes;
}

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
