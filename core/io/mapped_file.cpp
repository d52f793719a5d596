// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "core/base/regular_file.h"

namespace dubito {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<Error> readFailure(const std::string& path) {
  if (errno == ENOENT || errno == ENOTDIR) {
    return fail(ErrorCode::kNotFound, path + ": no such file; check the path");
  }
  return fail(ErrorCode::kReadFailed,
              fmt::format("{}: cannot be read ({}); check its permissions and the disk", path,
                          std::strerror(errno)));
}

FileIdentity identityOf(const struct stat& info) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {info.st_dev, info.st_ino, info.st_size,
          std::int64_t{info.st_mtim.tv_sec} * kNanoseconds + info.st_mtim.tv_nsec};
}

/// All currently mapped files.
struct MappedFiles {
  std::mutex mutex;
  std::unordered_set<const MappedFile*> files;
};

MappedFiles& mappedFiles() {
  // Never destroyed: runs in other static objects may be unmapped after it.
  static auto* const all = new MappedFiles;
  return *all;
}

}  // namespace

Expected<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  // Without O_NONBLOCK, opening a named pipe would wait forever for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) {
    return readFailure(path);
  }
  if (Status is_file = checkRegularFile(path, info.st_mode); !is_file) {
    return failWith(is_file);
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) {
      return readFailure(path);
    }
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(path, static_cast<const std::byte*>(data), size, identityOf(info)));
}

MappedFile::MappedFile(std::string path, const std::byte* data, std::size_t size,
                       const FileIdentity& opened)
    : path_(std::move(path)), data_(data), size_(size), opened_(opened) {
  if (data_ != nullptr) {
    guard_ = std::make_unique<MappingGuard>(data_, size_);
  }
  MappedFiles& all = mappedFiles();
  const std::scoped_lock lock(all.mutex);
  all.files.insert(this);
}

MappedFile::~MappedFile() {
  {
    MappedFiles& all = mappedFiles();
    const std::scoped_lock lock(all.mutex);
    all.files.erase(this);
  }
  guard_.reset();
  if (data_ != nullptr) {
    ::munmap(const_cast<std::byte*>(data_), size_);
  }
}

Status MappedFile::unchanged() const {
  struct stat now {};
  const bool same_file = ::stat(path_.c_str(), &now) == 0 &&
                         identityOf(now).inode == opened_.inode &&
                         identityOf(now).device == opened_.device;
  // Another file under the same name does not affect ours.
  if ((guard_ && guard_->broken()) || (same_file && identityOf(now) != opened_)) {
    return fail(ErrorCode::kReadFailed,
                path_ +
                    ": was changed by another program while it was read; try again when that "
                    "program is done");
  }
  return {};
}

Status mappedFilesUnchanged() {
  MappedFiles& all = mappedFiles();
  const std::scoped_lock lock(all.mutex);
  for (const MappedFile* const file : all.files) {
    if (Status status = file->unchanged(); !status) {
      return status;
    }
  }
  return {};
}

}  // namespace dubito
