// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"
#include "core/io/mapped_file.h"
#include "core/io/zip_directory.h"

namespace dubito {

/// What an archive of unknown origin may cost.
struct NpzLimits {
  /// Largest unpacked entry, bytes.
  std::uint64_t largest_entry_bytes = std::uint64_t{8} << 30;
  /// Entries above small_bytes that unpack to more than this multiple are refused as zip bombs.
  std::uint64_t largest_ratio = 1000;
  std::uint64_t small_bytes = std::uint64_t{64} << 20;
  /// Stored entries of at most so many bytes are compared with their checksums when they are read;
  /// compressed ones always are.
  std::uint64_t largest_verified_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// A .npz file opened for reading. Stored entries are views of the mapped file where their elements
/// allow it, compressed ones are unpacked when they are asked for. Reading is const and may happen
/// from several threads.
class NpzFile {
 public:
  /// Reads the directory only. kNotFound, kReadFailed, kMalformed (not a zip archive, damaged, two
  /// entries of one name).
  [[nodiscard]] static Expected<NpzFile> open(const std::string& path,
                                              const NpzLimits& limits = {});

  [[nodiscard]] const std::string& path() const { return path_; }
  /// NumPy's keys in the order of the file: entry names without ".npy".
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool contains(const std::string& name) const;

  /// The array `name`. kNotFound lists what is there; else the errors of decodeNpy, kMalformed for
  /// a wrong checksum or a size that differs from the claim, kUnsupported for an encrypted or
  /// strangely packed entry, kOutOfMemory for what goes beyond the limits.
  [[nodiscard]] Expected<AnyArray> read(const std::string& name) const;
  /// Compares all stored entries with their checksums, whatever the limits: kMalformed names every
  /// damaged one, kReadFailed if the file changed meanwhile. Progress in bytes.
  [[nodiscard]] Status verify(RunContext& context) const;
  /// MappedFile::unchanged of the file: to be asked when the arrays have been looked at.
  [[nodiscard]] Status unchanged() const { return file_->unchanged(); }
  /// The text `name`, see decodeNpyText.
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
  [[nodiscard]] Status checkClaim(const ZipEntry& entry, const std::string& label) const;
  [[nodiscard]] Expected<Unpacked> inflate(std::size_t index, const std::string& label) const;

  std::string path_;
  NpzLimits limits_;
  std::shared_ptr<const MappedFile> file_;
  std::vector<ZipEntry> entries_;
  std::vector<std::string> names_;  ///< one for each entry
};

}  // namespace dubito
