// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

namespace dubito {
namespace {

constexpr int kNameAttempts = 16;
constexpr std::size_t kMaxWrite = std::size_t{1} << 30;  // Linux writes at most 2 GB per call
constexpr std::size_t kMaxStem = 200;                    // names have at most 255 bytes
constexpr const char* kRemedyFullDisk = "free some disk space or write to another folder";

std::string randomSuffix() {
  std::random_device device;
  return fmt::format("{:08x}", device());
}

/// The file at the end of a chain of symbolic links; it may not exist yet.
std::filesystem::path followLinks(std::filesystem::path path) {
  std::error_code error;
  for (int i = 0; i < 40 && std::filesystem::is_symlink(path, error); ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

/// Makes a rename durable. File systems that do not support this do it in their own time.
void syncFolderOf(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

}  // namespace

Expected<AtomicFile> AtomicFile::create(const std::string& path, const std::string& temp_folder) {
  AtomicFile file;
  file.path_ = path;
  const std::filesystem::path real = followLinks(path);
  file.real_path_ = real.string();
  struct stat older {};
  const bool replaces = ::stat(file.real_path_.c_str(), &older) == 0;
  if (path.empty() || real.filename().empty() || (replaces && !S_ISREG(older.st_mode))) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: is {}, not a file; give the path of a file to write",
                            path.empty() ? "(empty path)" : path,
                            !replaces || S_ISDIR(older.st_mode) ? "a folder" : "a device or pipe"));
  }
  const std::string stem = real.filename().string().substr(0, kMaxStem);
  for (int attempt = 0; attempt < kNameAttempts && file.fd_ < 0; ++attempt) {
    const std::string name = fmt::format(".{}.{}.tmp", stem, randomSuffix());
    const std::string temp =
        ((temp_folder.empty() ? real.parent_path() : std::filesystem::path(temp_folder)) / name)
            .string();
    file.fd_ = ::open(temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.fd_ >= 0) {
      file.temp_path_ = temp;
    } else if (errno != EEXIST) {
      break;
    }
  }
  if (file.fd_ < 0) {
    return file.failure("choose an existing, writable folder");
  }
  if (replaces && ::fchmod(file.fd_, older.st_mode & 0777U) != 0) {
    return file.failure("check the permissions of the folder");
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      real_path_(std::move(other.real_path_)),
      temp_path_(std::exchange(other.temp_path_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    real_path_ = std::move(other.real_path_);
    temp_path_ = std::exchange(other.temp_path_, {});
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() noexcept {
  if (fd_ >= 0) {
    ::close(std::exchange(fd_, -1));
  }
  if (!temp_path_.empty()) {
    ::unlink(temp_path_.c_str());
    temp_path_.clear();
  }
}

tl::unexpected<Error> AtomicFile::failure(const char* remedy) const {
  return fail(ErrorCode::kWriteFailed,
              fmt::format("{}: cannot be written ({}); {}", path_, std::strerror(errno), remedy));
}

Status AtomicFile::write(ByteSpan bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), kMaxWrite));
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return failure(kRemedyFullDisk);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status AtomicFile::writeAt(std::uint64_t offset, ByteSpan bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return failure(kRemedyFullDisk);
    }
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status AtomicFile::commit() {
  // A library that writes by name may have replaced the file behind fd_.
  const int by_name = ::open(temp_path_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = by_name >= 0 && ::fsync(by_name) == 0;
  const int sync_error = errno;
  if (by_name >= 0) {
    ::close(by_name);
  }
  errno = sync_error;
  if (!synced || ::close(std::exchange(fd_, -1)) != 0 ||
      ::rename(temp_path_.c_str(), real_path_.c_str()) != 0) {
    const auto error = failure(kRemedyFullDisk);
    discard();
    return error;
  }
  temp_path_.clear();
  syncFolderOf(real_path_);
  return {};
}

Status writeFileAtomically(const std::string& path, ByteSpan bytes) {
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file) {
    return failWith(file);
  }
  if (Status written = file->write(bytes); !written) {
    return written;
  }
  return file->commit();
}

Status writeFileAtomically(const std::string& path, std::string_view text) {
  return writeFileAtomically(path, asBytes(text));
}

}  // namespace dubito
