// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/row_buffer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/io/make_folder.h"

namespace dubito {
namespace {

/// Values are written in pieces of this many.
constexpr std::size_t kValuesPerWrite = std::size_t{1} << 20;

tl::unexpected<Error> writeFailure(const std::string& folder) {
  return fail(ErrorCode::kWriteFailed,
              fmt::format("{}: values that do not fit into memory cannot be kept here ({}); free "
                          "some space, or allow more memory",
                          folder, std::strerror(errno)),
              {setting("memory")});
}

/// A file that has no name any more.
int openUnnamed(const std::string& folder) {
  std::string path = folder + "/rows-XXXXXX";
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) {
    ::unlink(path.c_str());
  }
  return file;
}

/// Keeps a file mapped.
class Mapping {
 public:
  Mapping(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(data_, bytes_); }

 private:
  void* data_;
  std::size_t bytes_;
};

}  // namespace

Expected<RowBuffer> RowBuffer::create(std::int64_t rows, std::int64_t width,
                                      const RowPlace& place) {
  RowBuffer buffer(width);
  const std::int64_t bytes = rows * width * static_cast<std::int64_t>(sizeof(float));
  if (place.max_memory_bytes <= 0 || bytes <= place.max_memory_bytes) {
    buffer.values_.reserve(static_cast<std::size_t>(rows * width));
    return buffer;
  }
  std::error_code ignored;
  buffer.folder_ =
      place.folder.empty() ? std::filesystem::temp_directory_path(ignored).string() : place.folder;
  if (Status made = makeFolder(buffer.folder_); !made) {
    return failWith(made);
  }
  buffer.file_ = openUnnamed(buffer.folder_);
  if (buffer.file_ < 0) {
    return writeFailure(buffer.folder_);
  }
  return buffer;
}

RowBuffer::RowBuffer(RowBuffer&& other) noexcept
    : width_(other.width_),
      rows_(other.rows_),
      values_(std::move(other.values_)),
      file_(std::exchange(other.file_, -1)),
      folder_(std::move(other.folder_)) {}

RowBuffer& RowBuffer::operator=(RowBuffer&& other) noexcept {
  width_ = other.width_;
  rows_ = other.rows_;
  values_ = std::move(other.values_);
  std::swap(file_, other.file_);
  folder_ = std::move(other.folder_);
  return *this;
}

RowBuffer::~RowBuffer() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

Status RowBuffer::append(std::span<const float> rows) {
  values_.insert(values_.end(), rows.begin(), rows.end());
  rows_ += static_cast<std::int64_t>(rows.size()) / width_;
  return isInFile() && values_.size() >= kValuesPerWrite ? flush() : Status();
}

Status RowBuffer::flush() {
  const auto* from = reinterpret_cast<const char*>(values_.data());
  std::size_t left = values_.size() * sizeof(float);
  while (left > 0) {
    const ssize_t written = ::write(file_, from, left);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return writeFailure(folder_);
    }
    from += written;
    left -= static_cast<std::size_t>(written);
  }
  values_.clear();
  return {};
}

Expected<Array<float>> RowBuffer::finish() {
  if (!isInFile()) {
    return Array<float>::fromVector({rows_, width_}, std::move(values_));
  }
  if (Status written = flush(); !written) {
    return failWith(written);
  }
  const std::size_t bytes = static_cast<std::size_t>(rows_ * width_) * sizeof(float);
  if (bytes == 0) {
    return Array<float>::zeros({rows_, width_});
  }
  void* const data = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file_, 0);
  if (data == MAP_FAILED) {
    return writeFailure(folder_);
  }
  return Array<float>::view({rows_, width_}, static_cast<const float*>(data),
                            std::make_shared<Mapping>(data, bytes));
}

}  // namespace dubito
