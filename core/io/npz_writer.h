// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/base/expected.h"
#include "core/io/any_array.h"
#include "core/io/atomic_file.h"
#include "core/io/bytes.h"

namespace dubito {

/// Options of NpzWriter.
struct NpzWriterOptions {
  /// Sizes and offsets of at least this value are written as 64-bit fields. Tests lower it.
  std::uint64_t zip64_from = 0xFFFFFFFF;
  /// Called with the number of element bytes written so far, at least every 16 MB. If it returns an
  /// error, writing stops and returns that error.
  std::function<Status(std::uint64_t bytes)> on_chunk = {};
};

/// Writes a .npz file that can be mapped: entries are stored uncompressed, and their elements start
/// at multiples of 64 bytes in the file. The file gets its final name only when it is complete.
/// Writing the same arrays gives identical files.
class NpzWriter {
 public:
  [[nodiscard]] static Expected<NpzWriter> create(const std::string& path,
                                                  const NpzWriterOptions& options = {});
  /// Writes to `file`, for callers that choose the location of the temporary file.
  NpzWriter(AtomicFile file, const NpzWriterOptions& options)
      : file_(std::move(file)), options_(options) {}

  /// Adds `array` under `name` (the key in NumPy, without ".npy"). Throws std::invalid_argument for
  /// a duplicate name or one longer than 60000 bytes.
  [[nodiscard]] Status add(const std::string& name, const AnyArray& array);
  /// Appends the next elements of an array, in row-major order.
  using Append = std::function<Status(ByteSpan elements)>;
  /// Adds an array that is never in memory as a whole: `produce` calls the given Append for one
  /// piece of the elements after another. `descr` is npyDescr of the element type. Throws
  /// std::logic_error if the number of elements does not match `shape`.
  [[nodiscard]] Status addStreamed(const std::string& name, const std::string& descr,
                                   const std::vector<std::int64_t>& shape,
                                   std::uint64_t element_bytes,
                                   const std::function<Status(const Append&)>& produce);
  /// Adds a text as a NumPy string of rank 0: str(npz[name]) returns the text.
  [[nodiscard]] Status addText(const std::string& name, const std::string& text);
  /// Writes the directory and renames the file to its final name.
  [[nodiscard]] Status commit();

 private:
  struct Written {
    std::string name;
    std::uint32_t crc32 = 0;
    std::uint64_t bytes = 0;
    std::uint64_t header_offset = 0;
  };

  [[nodiscard]] Status addEntry(const std::string& name, const std::string& head,
                                std::uint64_t data_bytes,
                                const std::function<Status(const Append&)>& produce);
  [[nodiscard]] Status append(ByteSpan bytes);
  [[nodiscard]] std::string localHeader(const Written& entry) const;
  [[nodiscard]] std::string centralHeader(const Written& entry) const;
  [[nodiscard]] std::string endRecords(std::uint64_t directory_bytes) const;

  AtomicFile file_;
  NpzWriterOptions options_;
  std::uint64_t offset_ = 0;
  std::uint64_t element_bytes_ = 0;
  std::vector<Written> entries_;
  std::unordered_set<std::string> names_;
};

}  // namespace dubito
