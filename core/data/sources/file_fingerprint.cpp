// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/file_fingerprint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/kernels/number_hash.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 20;

tl::unexpected<Error> readFailure(const std::string& path, int reason) {
  if (reason == ENOENT || reason == ENOTDIR) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file; check the path", path));
  }
  return fail(ErrorCode::kReadFailed,
              fmt::format("{}: cannot be read ({}); check its permissions and the disk", path,
                          std::strerror(reason)));
}

/// Fills the block up to the end of the file; -1 if it cannot be read.
ssize_t readBlock(int fd, std::vector<char>& block) {
  std::size_t filled = 0;
  while (filled < block.size()) {
    const ssize_t got = ::read(fd, block.data() + filled, block.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return got < 0 ? -1 : static_cast<ssize_t>(filled);
    }
    filled += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(filled);
}

Status hashContent(int fd, const std::string& path, std::uint64_t bytes, NumberHash& hash,
                   RunContext& context) {
  std::vector<char> block(kBlock);
  for (std::uint64_t done = 0;; done += kBlock) {
    if (context.step("Checking files", static_cast<std::int64_t>(done >> 20),
                     static_cast<std::int64_t>(bytes >> 20)) == Step::kCancel) {
      return cancelled();
    }
    const ssize_t got = readBlock(fd, block);
    if (got < 0) {
      return readFailure(path, errno);
    }
    const auto count = static_cast<std::size_t>(got);
    for (std::size_t at = 0; at < count; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, block.data() + at, std::min(sizeof(word), count - at));
      hash.add(word);
    }
    if (count < kBlock) {
      hash.add(done + count);
      return {};
    }
  }
}

Expected<FileFingerprint> fingerprintOfFolder(const std::string& path, RunContext& context) {
  std::vector<std::pair<std::string, std::uint64_t>> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(path, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (context.step("Checking files", static_cast<std::int64_t>(files.size()), 0) ==
        Step::kCancel) {
      return cancelled();
    }
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) {
      files.emplace_back(entry->path().lexically_relative(path).string(),
                         entry->file_size(ignored));
    }
  }
  if (error) {
    return readFailure(path, error.value());
  }
  std::sort(files.begin(), files.end());
  FileFingerprint fingerprint;
  NumberHash hash;
  for (const auto& [name, bytes] : files) {
    hash.add(name);
    hash.add(bytes);
    fingerprint.bytes += bytes;
  }
  fingerprint.hash = hash.hex();
  return fingerprint;
}

}  // namespace

Expected<FileFingerprint> fingerprintOf(const std::string& path, RunContext& context) {
  return fingerprintOf(path, {}, context);
}

Expected<FileFingerprint> fingerprintOf(const std::string& path, const FileFingerprint& known,
                                        RunContext& context) {
  // Without this flag, opening a pipe would block.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return readFailure(path, errno);
  }
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } const closer{fd};
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    return readFailure(path, errno);
  }
  if (S_ISDIR(info.st_mode)) {
    return fingerprintOfFolder(path, context);
  }
  if (!S_ISREG(info.st_mode)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is neither a file nor a folder; choose one", path));
  }
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  FileFingerprint fingerprint{
      static_cast<std::uint64_t>(info.st_size),
      std::int64_t{info.st_mtim.tv_sec} * kNanoseconds + info.st_mtim.tv_nsec, known.hash};
  if (!known.hash.empty() && known.bytes == fingerprint.bytes &&
      known.modified_ns == fingerprint.modified_ns) {
    return fingerprint;
  }
  NumberHash hash;
  if (Status read = hashContent(fd, path, fingerprint.bytes, hash, context); !read) {
    return failWith(read);
  }
  fingerprint.hash = hash.hex();
  return fingerprint;
}

}  // namespace dubito
