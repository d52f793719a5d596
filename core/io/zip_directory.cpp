// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

tl::unexpected<Error> malformedZip(const std::string& path, const std::string& reason) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: {}; copy or save the file again", path, reason));
}

/// Position of the directory and its number of entries.
struct DirectoryExtent {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;
  bool several_volumes = false;
};

/// The end record is last; only a comment of up to 64 KiB may follow.
std::optional<std::uint64_t> findEndRecord(ByteSpan bytes) {
  if (bytes.size() < zip::kEndBytes) {
    return std::nullopt;
  }
  const std::uint64_t last = bytes.size() - zip::kEndBytes;
  const std::uint64_t first = last - std::min<std::uint64_t>(last, 0xFFFF);
  for (std::uint64_t at = last + 1; at-- > first;) {
    if (loadLittleEndian<4>(bytes, at) == zip::kEndSignature &&
        loadLittleEndian<2>(bytes, at + 20) == last - at) {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<DirectoryExtent> readEndRecord(ByteSpan bytes, std::uint64_t at) {
  DirectoryExtent extent{
      loadLittleEndian<2>(bytes, at + 10), loadLittleEndian<4>(bytes, at + 12),
      loadLittleEndian<4>(bytes, at + 16),
      loadLittleEndian<2>(bytes, at + 4) != 0 || loadLittleEndian<2>(bytes, at + 6) != 0};
  std::uint64_t end = at;
  const bool zip64 =
      at >= zip::kEnd64LocatorBytes &&
      loadLittleEndian<4>(bytes, at - zip::kEnd64LocatorBytes) == zip::kEnd64LocatorSignature;
  if (zip64) {
    end = loadLittleEndian<8>(bytes, at - zip::kEnd64LocatorBytes + 8);
    if (!liesInside(end, zip::kEnd64Bytes, at - zip::kEnd64LocatorBytes) ||
        loadLittleEndian<4>(bytes, end) != zip::kEnd64Signature) {
      return std::nullopt;
    }
    extent = {
        loadLittleEndian<8>(bytes, end + 32), loadLittleEndian<8>(bytes, end + 40),
        loadLittleEndian<8>(bytes, end + 48),
        loadLittleEndian<4>(bytes, end + 16) != 0 || loadLittleEndian<4>(bytes, end + 20) != 0};
  }
  if (!liesInside(extent.offset, extent.bytes, end)) {
    return std::nullopt;
  }
  return extent;
}

/// Replaces fields that are all ones by those of the zip64 extra field. False if one is missing.
bool applyZip64(ByteSpan extra, std::uint64_t& bytes, std::uint64_t& stored,
                std::uint64_t& offset) {
  std::vector<std::uint64_t*> wanted;
  for (std::uint64_t* const field : {&bytes, &stored, &offset}) {
    if (*field == zip::kMax32) {
      wanted.push_back(field);
    }
  }
  if (wanted.empty()) {
    return true;
  }
  while (extra.size() >= 4) {
    const std::uint64_t length = loadLittleEndian<2>(extra, 2);
    if (length > extra.size() - 4) {
      return false;
    }
    const ByteSpan body = extra.subspan(4, static_cast<std::size_t>(length));
    if (loadLittleEndian<2>(extra, 0) == zip::kExtra64) {
      if (body.size() < 8 * wanted.size()) {
        return false;
      }
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        *wanted[i] = loadLittleEndian<8>(body, 8 * i);
      }
      return true;
    }
    extra = extra.subspan(4 + body.size());
  }
  return false;
}

/// Finds the data after the local header, which repeats the name and has its own extra fields.
bool locateData(ByteSpan bytes, std::uint64_t header, std::uint64_t directory, ZipEntry& entry) {
  if (!liesInside(header, zip::kLocalBytes, directory) ||
      loadLittleEndian<4>(bytes, header) != zip::kLocalSignature) {
    return false;
  }
  const std::uint64_t name_bytes = loadLittleEndian<2>(bytes, header + 26);
  const std::uint64_t extra_bytes = loadLittleEndian<2>(bytes, header + 28);
  entry.data_offset = header + zip::kLocalBytes + name_bytes + extra_bytes;
  return name_bytes == entry.name.size() &&
         liesInside(entry.data_offset, entry.stored_bytes, directory) &&
         std::equal(entry.name.begin(), entry.name.end(),
                    reinterpret_cast<const char*>(bytes.data()) + header + zip::kLocalBytes);
}

/// Reads the entry at `at` and advances `at` past it.
bool readEntry(ByteSpan bytes, const DirectoryExtent& directory, std::uint64_t& at,
               ZipEntry& entry) {
  const std::uint64_t end = directory.offset + directory.bytes;
  if (!liesInside(at, zip::kCentralBytes, end) ||
      loadLittleEndian<4>(bytes, at) != zip::kCentralSignature) {
    return false;
  }
  const std::uint64_t name_bytes = loadLittleEndian<2>(bytes, at + 28);
  const std::uint64_t extra_bytes = loadLittleEndian<2>(bytes, at + 30);
  const std::uint64_t comment_bytes = loadLittleEndian<2>(bytes, at + 32);
  const std::uint64_t variable = name_bytes + extra_bytes + comment_bytes;
  if (!liesInside(at + zip::kCentralBytes, variable, end)) {
    return false;
  }
  entry.encrypted = (loadLittleEndian<2>(bytes, at + 8) & 1) != 0;
  entry.method = static_cast<std::uint16_t>(loadLittleEndian<2>(bytes, at + 10));
  entry.crc32 = static_cast<std::uint32_t>(loadLittleEndian<4>(bytes, at + 16));
  entry.stored_bytes = loadLittleEndian<4>(bytes, at + 20);
  entry.bytes = loadLittleEndian<4>(bytes, at + 24);
  std::uint64_t header = loadLittleEndian<4>(bytes, at + 42);
  const ByteSpan rest = bytes.subspan(static_cast<std::size_t>(at + zip::kCentralBytes),
                                      static_cast<std::size_t>(variable));
  const ByteSpan name = rest.first(static_cast<std::size_t>(name_bytes));
  entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  const ByteSpan extra =
      rest.subspan(static_cast<std::size_t>(name_bytes), static_cast<std::size_t>(extra_bytes));
  at += zip::kCentralBytes + variable;
  return applyZip64(extra, entry.bytes, entry.stored_bytes, header) &&
         locateData(bytes, header, directory.offset, entry) &&
         (entry.method != kZipStored || entry.encrypted || entry.bytes == entry.stored_bytes);
}

}  // namespace

Expected<std::vector<ZipEntry>> readZipDirectory(ByteSpan bytes, const std::string& path) {
  const std::optional<std::uint64_t> end = findEndRecord(bytes);
  if (!end) {
    return malformedZip(path, "is not a zip archive, or is truncated (its end record is missing)");
  }
  const std::optional<DirectoryExtent> directory = readEndRecord(bytes, *end);
  if (directory && directory->several_volumes) {
    return fail(ErrorCode::kUnsupported,
                path + ": is one volume of several; join the archive into one file");
  }
  if (!directory || directory->entries > directory->bytes / zip::kCentralBytes) {
    return malformedZip(path, "the directory of the zip archive is outside the file");
  }
  std::vector<ZipEntry> entries(static_cast<std::size_t>(directory->entries));
  std::uint64_t at = directory->offset;
  for (ZipEntry& entry : entries) {
    if (!readEntry(bytes, *directory, at, entry)) {
      return malformedZip(path, fmt::format("entry {} of the zip archive ({}) is damaged",
                                            &entry - entries.data() + 1, inQuotes(entry.name)));
    }
  }
  return entries;
}

}  // namespace dubito
