// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/parts_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = ".lock";
constexpr int kClaimAttempts = 100;

std::string folderOf(const std::string& run_path) {
  return run_path + ".parts";
}

bool isPartName(const std::string& name) {
  return name.starts_with("part-") && name.ends_with(".npz");
}

/// Names of the files in `folder` for which `wanted` is true, sorted.
template <class Wanted>
std::vector<std::string> namesIn(const std::string& folder, Wanted wanted) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (wanted(name)) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

/// Whether `fd` is still the file of that name; its last owner may have removed it meanwhile.
bool isStill(int fd, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

Expected<PartsFolder> PartsFolder::claim(const std::string& run_path) {
  // Reports problems with the path of the run itself.
  if (const auto writable = AtomicFile::create(run_path); !writable) {
    return failWith(writable);
  }
  const std::string folder = folderOf(run_path);
  const std::string lock_path = (fs::path(folder) / kLockName).string();
  for (int attempt = 0; attempt < kClaimAttempts; ++attempt) {
    int fd = -1;
    if (::mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST) {
      fd = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    }
    if (fd < 0 && errno == ENOENT) {
      continue;  // another program has just removed the folder
    }
    if (fd < 0) {
      return fail(ErrorCode::kWriteFailed,
                  fmt::format("{}: this folder cannot be used for the parts of the run ({}); "
                              "delete it or write to another folder",
                              folder, std::strerror(errno)));
    }
    // File systems without locks return another error; other programs are then not detected.
    const bool taken = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && isStill(fd, lock_path)) {
      PartsFolder claimed(run_path, fd);
      claimed.removeUnfinished();
      return claimed;
    }
    ::close(fd);
    if (taken) {
      return fail(ErrorCode::kWriteFailed,
                  fmt::format("{}: another program is computing this run; wait for it or write to "
                              "another file",
                              run_path));
    }
  }
  return fail(
      ErrorCode::kWriteFailed,
      fmt::format("{}: the folder is repeatedly created and removed; write to another folder",
                  folder));
}

PartsFolder::PartsFolder(std::string run_path, int lock)
    : run_path_(std::move(run_path)), path_(folderOf(run_path_)), lock_(lock) {}

void PartsFolder::removeUnfinished() {
  const auto isTemporary = [](const std::string& name) {
    return name.starts_with(".") && name.ends_with(".tmp");
  };
  for (const std::string& name : namesIn(path_, isTemporary)) {
    std::error_code ignored;
    unfinished_ += fs::remove(fs::path(path_) / name, ignored) ? 1 : 0;
  }
}

PartsFolder::PartsFolder(PartsFolder&& other) noexcept
    : run_path_(std::move(other.run_path_)),
      path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      unfinished_(other.unfinished_) {}

PartsFolder::~PartsFolder() {
  if (lock_ < 0) {
    return;
  }
  ::unlink((fs::path(path_) / kLockName).c_str());
  ::rmdir(path_.c_str());  // fails if anything is left in it
  ::close(lock_);
}

std::string PartsFolder::name() const {
  return fs::path(path_).filename().string();
}

std::vector<std::string> PartsFolder::partPaths() const {
  std::vector<std::string> paths = namesIn(path_, isPartName);
  for (std::string& path : paths) {
    path = (fs::path(path_) / path).string();
  }
  return paths;
}

std::string PartsFolder::pathOf(std::int64_t begin, std::int64_t end) const {
  return (fs::path(path_) / fmt::format("part-{:012}-{:012}.npz", begin, end)).string();
}

Status PartsFolder::add(const RunPart& part) const {
  Expected<AtomicFile> file = AtomicFile::create(pathOf(part.begin, part.end));
  return file ? writePart(part, std::move(*file)) : Status(failWith(file));
}

Expected<AtomicFile> PartsFolder::createRunFile() const {
  // A link may lead to another file system, to which a rename from here is impossible.
  std::error_code error;
  return AtomicFile::create(run_path_, fs::is_symlink(run_path_, error) ? "" : path_);
}

void PartsFolder::removeParts() const {
  for (const std::string& path : partPaths()) {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
}

}  // namespace dubito
