// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/new_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <system_error>
#include <utility>

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherPlace = "free some disk space or choose another place";

tl::unexpected<Error> folderFailure(const std::string& path, const std::string& reason,
                                    const std::string& remedy) {
  return fail(ErrorCode::kWriteFailed,
              fmt::format("{}: cannot be written ({}); {}", path, reason, remedy));
}

/// The final path without links and a trailing separator.
fs::path realFolder(const std::string& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(path, error);
  if (error) {
    real = fs::absolute(path).lexically_normal();
  }
  return real.has_filename() ? real : real.parent_path();
}

}  // namespace

Expected<NewFolder> NewFolder::create(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (path.empty() || (fs::exists(status) && !fs::is_directory(status))) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: is not a folder; give the path of a new or empty folder",
                            path.empty() ? "(empty path)" : path));
  }
  if (fs::exists(status) && (!fs::is_empty(path, error) || error)) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: the folder is not empty, and its files are not overwritten; give "
                            "a new or empty folder",
                            path));
  }
  const fs::path real = realFolder(path);
  std::random_device device;
  // File names have at most 255 bytes.
  const fs::path temp =
      real.parent_path() /
      fmt::format(".{}.{:08x}.tmp", real.filename().string().substr(0, 200), device());
  if (::mkdir(temp.c_str(), 0777) != 0) {
    return folderFailure(path, std::strerror(errno), "choose a place in a writable folder");
  }
  return NewFolder(path, temp.string());
}

NewFolder::NewFolder(std::string path, std::string temp_path)
    : path_(std::move(path)), temp_path_(std::move(temp_path)) {}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : path_(std::move(other.path_)), temp_path_(std::exchange(other.temp_path_, {})) {}

NewFolder::~NewFolder() {
  if (!temp_path_.empty()) {
    std::error_code ignored;
    fs::remove_all(temp_path_, ignored);
  }
}

Status NewFolder::addFolder(const std::string& relative) const {
  std::error_code error;
  fs::create_directories(fs::path(temp_path_) / relative, error);
  if (error) {
    return folderFailure((fs::path(path_) / relative).string(), error.message(), kOtherPlace);
  }
  return {};
}

Status NewFolder::addFile(const std::string& relative, std::string_view text) const {
  if (Status made = addFolder(fs::path(relative).parent_path().string()); !made) {
    return made;
  }
  errno = 0;
  std::ofstream file(fs::path(temp_path_) / relative, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    return folderFailure((fs::path(path_) / relative).string(), std::strerror(errno), kOtherPlace);
  }
  return {};
}

Status NewFolder::addImage(const std::string& relative, const std::string& source,
                           std::string_view link) const {
  if (Status made = addFolder(fs::path(relative).parent_path().string()); !made) {
    return made;
  }
  const fs::path target = fs::path(temp_path_) / relative;
  std::error_code error;
  if (link == "hard-link") {
    fs::create_hard_link(fs::canonical(source, error), target, error);
  } else if (link == "symbolic-link") {
    fs::create_symlink(fs::canonical(source, error), target, error);
  } else {
    fs::copy_file(source, target, error);
  }
  if (error) {
    const bool other_disk = error == std::errc::cross_device_link;
    return folderFailure(
        (fs::path(path_) / relative).string(), error.message(),
        other_disk ? "hard links need the same disk; copy the images" : kOtherPlace);
  }
  return {};
}

Status NewFolder::commit() {
  // One call for all files; after a power failure they must not be empty.
  const int fd = ::open(temp_path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = fd >= 0 && ::syncfs(fd) == 0;
  const int sync_error = errno;
  if (fd >= 0) {
    ::close(fd);
  }
  if (!synced) {
    return folderFailure(path_, std::strerror(sync_error), kOtherPlace);
  }
  const fs::path real = realFolder(path_);
  // A rename replaces an empty folder, but fails on one with content.
  if (std::rename(temp_path_.c_str(), real.c_str()) != 0) {
    return folderFailure(path_, std::strerror(errno), "give a new or empty folder");
  }
  temp_path_.clear();
  return {};
}

}  // namespace dubito
