// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npz_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <algorithm>
#include <new>
#include <unordered_set>

#include "core/base/in_quotes.h"
#include "core/io/npy.h"
#include "core/io/npy_header.h"
#include "core/io/zip_crc.h"

namespace dubito {
namespace {

constexpr std::size_t kNamesInMessages = 12;

/// libzip reader for bytes in memory.
class ZipReader {
 public:
  explicit ZipReader(ByteSpan bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source =
        zip_source_buffer_create(bytes.data(), bytes.size(), /*freep=*/0, &error);
    if (source != nullptr) {
      archive_ = zip_open_from_source(source, ZIP_RDONLY, &error);
      if (archive_ == nullptr) {
        zip_source_free(source);
      }
    }
    if (archive_ == nullptr) {
      reason_ = zip_error_strerror(&error);
    }
    zip_error_fini(&error);
  }
  ~ZipReader() {
    if (entry_ != nullptr) {
      zip_fclose(entry_);
    }
    if (archive_ != nullptr) {
      zip_discard(archive_);
    }
  }
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  /// Opens entry `index`; false unless it matches our own reading of the directory.
  bool openEntry(std::size_t index, const ZipEntry& expected) {
    if (archive_ == nullptr) {
      return false;
    }
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive_, index, ZIP_FL_ENC_RAW, &stat) != 0) {
      reason_ = zip_strerror(archive_);
      return false;
    }
    if (stat.name != expected.name || stat.size != expected.bytes) {
      reason_ = "its two headers differ";
      return false;
    }
    entry_ = zip_fopen_index(archive_, index, 0);
    if (entry_ == nullptr) {
      reason_ = zip_strerror(archive_);
    }
    return entry_ != nullptr;
  }

  /// Fills `target`; false at an early end or an error.
  bool readExactly(std::span<std::byte> target) {
    while (!target.empty()) {
      const zip_int64_t n = zip_fread(entry_, target.data(), target.size());
      if (n <= 0) {
        reason_ = n == 0 ? "it ends before its claimed size" : zip_file_strerror(entry_);
        return false;
      }
      target = target.subspan(static_cast<std::size_t>(n));
    }
    return true;
  }

  /// Whether this is the end of the entry; libzip then compares size and checksum.
  bool atEnd() {
    std::byte extra;
    const zip_int64_t n = zip_fread(entry_, &extra, 1);
    if (n != 0) {
      reason_ = n > 0 ? "it unpacks to more than its claimed size" : zip_file_strerror(entry_);
    }
    return n == 0;
  }

  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  zip_t* archive_ = nullptr;
  zip_file_t* entry_ = nullptr;
  std::string reason_;
};

constexpr std::size_t kVerifiedAtOnce = std::size_t{8} << 20;

tl::unexpected<Error> damaged(const std::string& label, const std::string& reason) {
  return fail(
      ErrorCode::kMalformed,
      fmt::format("{}: cannot be unpacked ({}); copy or save the file again", label, reason));
}

/// Whether its bytes are stored in the file uncompressed and unencrypted.
bool isPlain(const ZipEntry& entry) {
  return entry.method == kZipStored && !entry.encrypted;
}

/// The error for stored entries that are damaged.
tl::unexpected<Error> wrongChecksum(const std::string& path,
                                    const std::vector<std::string>& quoted_names) {
  const bool one = quoted_names.size() == 1;
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: {} {} {} damaged ({} not match); restore the file from a copy, or "
                          "compute or save it again",
                          path, one ? "array" : "arrays", fmt::join(quoted_names, ", "),
                          one ? "is" : "are", one ? "its checksum does" : "their checksums do"));
}

}  // namespace

Expected<NpzFile> NpzFile::open(const std::string& path, const NpzLimits& limits) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  auto entries = readZipDirectory((*file)->bytes(), path);
  if (!entries) {
    return failWith(entries);
  }
  NpzFile npz;
  std::unordered_set<std::string> seen;
  for (const ZipEntry& entry : *entries) {
    const bool npy = entry.name.ends_with(".npy");
    npz.names_.push_back(entry.name.substr(0, entry.name.size() - (npy ? 4 : 0)));
    if (!seen.insert(npz.names_.back()).second) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: has two entries named {}; save the file again", path,
                              inQuotes(npz.names_.back())));
    }
  }
  npz.path_ = path;
  npz.limits_ = limits;
  npz.file_ = std::move(*file);
  npz.entries_ = std::move(*entries);
  return npz;
}

bool NpzFile::contains(const std::string& name) const {
  return std::ranges::find(names_, name) != names_.end();
}

Expected<AnyArray> NpzFile::read(const std::string& name) const {
  const Expected<Unpacked> entry = unpack(name);
  if (!entry) {
    return failWith(entry);
  }
  return decodeNpy(entry->bytes, entry->owner, entry->label);
}

Expected<std::variant<AnyArray, TextArray>> NpzFile::readOrTexts(const std::string& name) const {
  const Expected<Unpacked> entry = unpack(name);
  if (!entry) {
    return failWith(entry);
  }
  if (isNpyOfTexts(entry->bytes)) {
    auto texts = decodeNpyTexts(entry->bytes, entry->label);
    return texts ? Expected<std::variant<AnyArray, TextArray>>(*std::move(texts)) : failWith(texts);
  }
  auto array = decodeNpy(entry->bytes, entry->owner, entry->label);
  return array ? Expected<std::variant<AnyArray, TextArray>>(*std::move(array)) : failWith(array);
}

Expected<std::string> NpzFile::readText(const std::string& name) const {
  const Expected<Unpacked> entry = unpack(name);
  if (!entry) {
    return failWith(entry);
  }
  return decodeNpyText(entry->bytes, entry->label);
}

Expected<NpzFile::Unpacked> NpzFile::unpack(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(names_.size(), kNamesInMessages); ++i) {
      shown.push_back(inQuotes(names_[i]));
    }
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: has no array {}; it has {}{}", path_, inQuotes(name),
                            shown.empty() ? "nothing" : fmt::format("{}", fmt::join(shown, ", ")),
                            names_.size() > shown.size() ? ", ..." : ""));
  }
  const auto index = static_cast<std::size_t>(found - names_.begin());
  const ZipEntry& entry = entries_[index];
  const std::string label = fmt::format("{}: entry {}", path_, inQuotes(name));
  if (entry.encrypted) {
    return fail(ErrorCode::kUnsupported, label + ": is encrypted; save it without a password");
  }
  if (entry.method != kZipStored) {
    const Status claim = checkClaimedSize(entry, label);
    return claim ? inflate(index, label) : Expected<Unpacked>(failWith(claim));
  }
  const ByteSpan bytes = storedBytes(entry);
  if (entry.bytes <= limits_.max_verified_bytes && zipCrc(0, bytes) != entry.crc32) {
    const Status same = unchanged();
    return same ? wrongChecksum(path_, {inQuotes(name)}) : failWith(same);
  }
  return Unpacked{bytes, file_, label};
}

ByteSpan NpzFile::storedBytes(const ZipEntry& entry) const {
  return file_->bytes().subspan(static_cast<std::size_t>(entry.data_offset),
                                static_cast<std::size_t>(entry.stored_bytes));
}

Status NpzFile::verify(RunContext& context) const {
  std::int64_t total = 0;
  for (const ZipEntry& entry : entries_) {
    total += isPlain(entry) ? static_cast<std::int64_t>(entry.stored_bytes) : 0;
  }
  std::int64_t done = 0;
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!isPlain(entries_[i])) {
      continue;
    }
    std::uint32_t crc = 0;
    for (ByteSpan rest = storedBytes(entries_[i]); !rest.empty();) {
      if (context.step("verifying", done, total) == Step::kCancel) {
        return cancelled();
      }
      const ByteSpan part = rest.first(std::min(rest.size(), kVerifiedAtOnce));
      crc = zipCrc(crc, part);
      rest = rest.subspan(part.size());
      done += static_cast<std::int64_t>(part.size());
    }
    if (crc != entries_[i].crc32) {
      wrong.push_back(inQuotes(names_[i]));
    }
  }
  // Checksums of a file that another program writes to are meaningless.
  if (Status same = unchanged(); !same) {
    return same;
  }
  return wrong.empty() ? Status() : Status(wrongChecksum(path_, wrong));
}

Status NpzFile::checkClaimedSize(const ZipEntry& entry, const std::string& label) const {
  if (entry.bytes > limits_.max_entry_bytes) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: claims to unpack to {} bytes, more than the {} allowed; save it "
                            "with numpy.savez, which does not compress, so that it can be mapped",
                            label, entry.bytes, limits_.max_entry_bytes));
  }
  if (entry.bytes > limits_.small_bytes &&
      entry.bytes / limits_.max_unpacked_ratio > entry.stored_bytes) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: claims to unpack {} bytes to {}, as zip bombs do; save it with "
                            "numpy.savez, which does not compress",
                            label, entry.stored_bytes, entry.bytes));
  }
  return {};
}

Expected<NpzFile::Unpacked> NpzFile::inflate(std::size_t index, const std::string& label) const {
  const ZipEntry& entry = entries_[index];
  ZipReader reader(file_->bytes());
  if (!reader.openEntry(index, entry)) {
    return damaged(label, reader.reason());
  }
  // The array's own header is read first: memory is allocated only if it agrees with the archive.
  std::vector<std::byte> head(
      static_cast<std::size_t>(std::min<std::uint64_t>(entry.bytes, kMaxNpyHeaderBytes)));
  if (!reader.readExactly(head)) {
    return damaged(label, reader.reason());
  }
  if (const auto header = parseNpyHeader(head, entry.bytes, label); !header) {
    return failWith(header);
  }
  std::shared_ptr<std::byte[]> bytes;
  try {
    bytes.reset(new std::byte[static_cast<std::size_t>(entry.bytes)]);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: its {} bytes do not fit into memory; save it with numpy.savez, "
                            "which does not compress, so that it can be mapped",
                            label, entry.bytes));
  }
  const std::span<std::byte> target(bytes.get(), static_cast<std::size_t>(entry.bytes));
  std::ranges::copy(head, target.begin());
  if (!reader.readExactly(target.subspan(head.size())) || !reader.atEnd()) {
    return damaged(label, reader.reason());
  }
  return Unpacked{target, bytes, label};
}

}  // namespace dubito
