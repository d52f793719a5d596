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

/// Tuning of an archive that NpzWriter writes.
struct NpzWriterOptions {
  /// Sizes and offsets from this number of bytes on are written as 64-bit fields. Tests lower it.
  std::uint64_t zip64_from = 0xFFFFFFFF;
  /// Called with the bytes of elements written so far, after at most 16 MB each; its error ends the
  /// writing and is handed on.
  std::function<Status(std::uint64_t bytes)> on_chunk = {};
};

/// Writes a .npz file for mapping: entries are stored, not compressed, and their elements start at
/// multiples of 64 bytes of the file. The file appears under its name when it is complete. Equal
/// contents give equal bytes.
class NpzWriter {
 public:
  [[nodiscard]] static Expected<NpzWriter> create(const std::string& path,
                                                  const NpzWriterOptions& options = {});
  /// Writes into `file`, for who chooses where it is kept until it is complete.
  NpzWriter(AtomicFile file, const NpzWriterOptions& options)
      : file_(std::move(file)), options_(options) {}

  /// Adds `array` under `name` (the key in NumPy, without ".npy"). Throws std::invalid_argument for
  /// a name that is there already or longer than 60000 bytes.
  [[nodiscard]] Status add(const std::string& name, const AnyArray& array);
  /// Takes the next elements of an array, in row-major order.
  using Append = std::function<Status(ByteSpan elements)>;
  /// Adds an array of elements `descr` (npyDescr) that is nowhere whole: `produce` hands its
  /// elements over piece by piece. Throws std::logic_error if they are more or fewer than `shape`
  /// says.
  [[nodiscard]] Status addStreamed(const std::string& name, const std::string& descr,
                                   const std::vector<std::int64_t>& shape,
                                   std::uint64_t element_bytes,
                                   const std::function<Status(const Append&)>& produce);
  /// Adds a text as a NumPy string without axes: str(npz[name]) is the text.
  [[nodiscard]] Status addText(const std::string& name, const std::string& text);
  /// Writes the directory and gives the file its name.
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
