// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gzip_reader.h"
#include "core/base/regular_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace dubito {

struct GzipReader::Stream {
  gzFile file = nullptr;
  explicit Stream(gzFile opened) : file(opened) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { gzclose_r(file); }
};

Expected<GzipReader> GzipReader::open(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: there is no such file; check the path", path));
  }
  if (Status is_file = checkRegularFile(path); !is_file) {
    return failWith(is_file);
  }
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  errno = 0;
  gzFile const file = error ? nullptr : gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}: cannot be read ({}); check its permissions", path,
                            error ? error.message() : std::strerror(errno)));
  }
  gzbuffer(file, 1U << 17U);
  return GzipReader(path, size, std::make_shared<Stream>(file));
}

bool GzipReader::compressed() const {
  return gzdirect(stream_->file) == 0;
}

Expected<std::int64_t> GzipReader::read(std::span<std::uint8_t> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    constexpr std::size_t kMaxReadBytes = 1U << 20U;
    const auto wanted = static_cast<unsigned>(std::min(buffer.size() - filled, kMaxReadBytes));
    const int got = gzread(stream_->file, buffer.data() + filled, wanted);
    int code = Z_OK;
    const char* const reason = gzerror(stream_->file, &code);
    if (got < 0 || code == Z_BUF_ERROR) {
      if (code == Z_ERRNO) {
        return fail(ErrorCode::kReadFailed,
                    fmt::format("{}: cannot be read ({}); try again", path_, std::strerror(errno)));
      }
      return fail(
          ErrorCode::kMalformed,
          code == Z_BUF_ERROR
              ? fmt::format("{}: the compressed data is truncated; fetch the file again", path_)
              : fmt::format("{}: the compressed data is damaged; fetch the file again", path_),
          reason);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  return static_cast<std::int64_t>(filled);
}

}  // namespace dubito
