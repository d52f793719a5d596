// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"
#include "core/io/mapped_file.h"
#include "core/io/text_array.h"
#include "core/io/zip_directory.h"

namespace dubito {

/// Limits for archives of unknown origin.
struct NpzLimits {
  /// Maximum size of an unpacked entry, in bytes.
  std::uint64_t max_entry_bytes = std::uint64_t{8} << 30;
  /// Entries above small_bytes that unpack to more than this multiple are rejected as zip bombs.
  std::uint64_t max_unpacked_ratio = 1000;
  std::uint64_t small_bytes = std::uint64_t{64} << 20;
  /// Uncompressed entries up to this size are verified against their checksums when read;
  /// compressed entries always are.
  std::uint64_t max_verified_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// A .npz file opened for reading. Uncompressed entries are views of the mapped file if their
/// layout allows it; compressed entries are unpacked on request. Reading is thread-safe.
class NpzFile {
 public:
  /// Reads the directory only. kNotFound, kReadFailed, kMalformed (not a zip archive, damaged,
  /// duplicate names).
  [[nodiscard]] static Expected<NpzFile> open(const std::string& path,
                                              const NpzLimits& limits = {});

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The keys as in NumPy, in the order of the file: entry names without ".npy".
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool contains(const std::string& name) const;

  /// The array `name`. kNotFound, listing the available names, if it does not exist; kMalformed for
  /// a wrong checksum or size; kUnsupported for encryption or unknown compression methods;
  /// kOutOfMemory beyond the limits; else the errors of decodeNpy.
  [[nodiscard]] Expected<AnyArray> read(const std::string& name) const;
  /// The array `name` if it has numbers, or its texts. Errors of read.
  [[nodiscard]] Expected<std::variant<AnyArray, TextArray>> readOrTexts(
      const std::string& name) const;
  /// Verifies all uncompressed entries against their checksums, regardless of the limits.
  /// kMalformed names every damaged entry; kReadFailed if the file changed meanwhile. Reports
  /// progress in bytes.
  [[nodiscard]] Status verify(RunContext& context) const;
  /// Fails if the file has changed since it was opened. Call after using the arrays.
  [[nodiscard]] Status unchanged() const { return file_->unchanged(); }
  /// The text `name`; see decodeNpyText.
  [[nodiscard]] Expected<std::string> readText(const std::string& name) const;

 private:
  struct Unpacked {
    ByteSpan bytes;
    std::shared_ptr<const void> owner;
    std::string label;  ///< file and entry, for messages
  };

  NpzFile() = default;
  [[nodiscard]] ByteSpan storedBytes(const ZipEntry& entry) const;
  [[nodiscard]] Expected<Unpacked> unpack(const std::string& name) const;
  [[nodiscard]] Status checkClaimedSize(const ZipEntry& entry, const std::string& label) const;
  [[nodiscard]] Expected<Unpacked> inflate(std::size_t index, const std::string& label) const;

  std::string path_;
  NpzLimits limits_;
  std::shared_ptr<const MappedFile> file_;
  std::vector<ZipEntry> entries_;
  std::vector<std::string> names_;  ///< one per entry
};

}  // namespace dubito
