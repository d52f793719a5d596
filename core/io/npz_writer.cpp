// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npz_writer.h"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/io/npy.h"
#include "core/io/npy_header.h"
#include "core/io/zip_format.h"

namespace dubito {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kLongestName = 60000;
constexpr std::uint64_t kVersion = 20;
constexpr std::uint64_t kVersion64 = 45;
constexpr std::uint64_t kUtf8Names = 1U << 11;
constexpr std::uint64_t kDosDate = 0x21;               // 1980-01-01: equal runs, equal bytes
constexpr std::uint64_t kUnixMode = 0100644ULL << 16;  // a regular file
constexpr std::uint64_t kMadeOnUnix = 3ULL << 8;

/// Calls use(part) for parts of at most kChunk bytes until one fails.
template <class Use>
Status forEachChunk(ByteSpan data, Use use) {
  constexpr std::size_t kChunk = std::size_t{16} << 20;
  Status status;
  for (; status && !data.empty(); data = data.subspan(std::min(kChunk, data.size()))) {
    status = use(data.first(std::min(kChunk, data.size())));
  }
  return status;
}

}  // namespace

Expected<NpzWriter> NpzWriter::create(const std::string& path, const NpzWriterOptions& options) {
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file) {
    return failWith(file);
  }
  return NpzWriter(std::move(*file), options);
}

Status NpzWriter::add(const std::string& name, const AnyArray& array) {
  return std::visit(
      [&](const auto& a) {
        using T = std::remove_cvref_t<decltype(a.data()[0])>;
        return addEntry(name, makeNpyHeader(npyDescr<T>(), a.shape()), elementBytes(a));
      },
      array);
}

Status NpzWriter::addText(const std::string& name, const std::string& text) {
  return addEntry(name, encodeNpyText(text), {});
}

Status NpzWriter::append(ByteSpan bytes) {
  offset_ += bytes.size();
  return file_.write(bytes);
}

Status NpzWriter::addEntry(const std::string& name, const std::string& head, ByteSpan data) {
  const std::string file_name = name + ".npy";
  if (file_name.size() > kLongestName || !names_.insert(file_name).second) {
    throw std::invalid_argument("NpzWriter: a name that is taken or too long: " + inQuotes(name));
  }
  const Expected<std::uint32_t> crc = checksum(head, data);
  if (!crc) {
    return failWith(crc);
  }
  const Written entry{file_name, *crc, head.size() + data.size(), offset_};
  entries_.push_back(entry);
  Status status = append(asBytes(localHeader(entry) + head));
  return status ? appendElements(data) : status;
}

Status NpzWriter::reportChunk() const {
  return options_.on_chunk ? options_.on_chunk(element_bytes_) : Status();
}

Expected<std::uint32_t> NpzWriter::checksum(const std::string& head, ByteSpan data) const {
  uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(head.data()), head.size());
  const Status status = forEachChunk(data, [&](ByteSpan part) {
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
    return reportChunk();
  });
  return status ? Expected<std::uint32_t>(static_cast<std::uint32_t>(crc))
                : Expected<std::uint32_t>(failWith(status));
}

Status NpzWriter::appendElements(ByteSpan data) {
  return forEachChunk(data, [&](ByteSpan part) {
    const Status written = append(part);
    element_bytes_ += part.size();
    return written ? reportChunk() : written;
  });
}

std::string NpzWriter::localHeader(const Written& entry) const {
  const bool large = entry.bytes >= options_.zip64_from;
  std::string extra;
  if (large) {
    appendLittleEndian<2>(extra, zip::kExtra64);
    appendLittleEndian<2>(extra, 16);
    appendLittleEndian<8>(extra, entry.bytes);
    appendLittleEndian<8>(extra, entry.bytes);
  }
  constexpr std::uint64_t kSmallestPadding = 6;
  const std::uint64_t unpadded =
      entry.header_offset + zip::kLocalBytes + entry.name.size() + extra.size() + kSmallestPadding;
  const std::uint64_t padding = (kAlignment - unpadded % kAlignment) % kAlignment;
  appendLittleEndian<2>(extra, zip::kExtraAlignment);
  appendLittleEndian<2>(extra, 2 + padding);
  appendLittleEndian<2>(extra, kAlignment);
  extra.append(static_cast<std::size_t>(padding), '\0');

  const std::uint64_t bytes = large ? zip::kMax32 : entry.bytes;
  std::string header;
  appendLittleEndian<4>(header, zip::kLocalSignature);
  appendLittleEndian<2>(header, large ? kVersion64 : kVersion);
  appendLittleEndian<2>(header, kUtf8Names);
  appendLittleEndian<2>(header, 0);  // stored
  appendLittleEndian<2>(header, 0);
  appendLittleEndian<2>(header, kDosDate);
  appendLittleEndian<4>(header, entry.crc32);
  appendLittleEndian<4>(header, bytes);
  appendLittleEndian<4>(header, bytes);
  appendLittleEndian<2>(header, entry.name.size());
  appendLittleEndian<2>(header, extra.size());
  return header + entry.name + extra;
}

std::string NpzWriter::centralHeader(const Written& entry) const {
  const bool large = entry.bytes >= options_.zip64_from;
  const bool far = entry.header_offset >= options_.zip64_from;
  std::string extra;
  if (large || far) {
    appendLittleEndian<2>(extra, zip::kExtra64);
    appendLittleEndian<2>(extra, (large ? 16U : 0U) + (far ? 8U : 0U));
  }
  if (large) {
    appendLittleEndian<8>(extra, entry.bytes);
    appendLittleEndian<8>(extra, entry.bytes);
  }
  if (far) {
    appendLittleEndian<8>(extra, entry.header_offset);
  }
  const std::uint64_t bytes = large ? zip::kMax32 : entry.bytes;
  const std::uint64_t version = large || far ? kVersion64 : kVersion;
  std::string header;
  appendLittleEndian<4>(header, zip::kCentralSignature);
  appendLittleEndian<2>(header, kMadeOnUnix | version);
  appendLittleEndian<2>(header, version);
  appendLittleEndian<2>(header, kUtf8Names);
  appendLittleEndian<2>(header, 0);  // stored
  appendLittleEndian<2>(header, 0);
  appendLittleEndian<2>(header, kDosDate);
  appendLittleEndian<4>(header, entry.crc32);
  appendLittleEndian<4>(header, bytes);
  appendLittleEndian<4>(header, bytes);
  appendLittleEndian<2>(header, entry.name.size());
  appendLittleEndian<2>(header, extra.size());
  appendLittleEndian<2>(header, 0);  // comment
  appendLittleEndian<2>(header, 0);  // volume
  appendLittleEndian<2>(header, 0);  // internal attributes
  appendLittleEndian<4>(header, kUnixMode);
  appendLittleEndian<4>(header, far ? zip::kMax32 : entry.header_offset);
  return header + entry.name + extra;
}

std::string NpzWriter::endRecords(std::uint64_t directory_bytes) const {
  const std::uint64_t count = entries_.size();
  const std::uint64_t directory = offset_ - directory_bytes;
  const bool large = count >= zip::kMax16 || directory >= options_.zip64_from ||
                     directory_bytes >= options_.zip64_from;
  std::string end;
  if (large) {
    appendLittleEndian<4>(end, zip::kEnd64Signature);
    appendLittleEndian<8>(end, zip::kEnd64Bytes - 12);
    appendLittleEndian<2>(end, kMadeOnUnix | kVersion64);
    appendLittleEndian<2>(end, kVersion64);
    appendLittleEndian<4>(end, 0);
    appendLittleEndian<4>(end, 0);
    appendLittleEndian<8>(end, count);
    appendLittleEndian<8>(end, count);
    appendLittleEndian<8>(end, directory_bytes);
    appendLittleEndian<8>(end, directory);
    appendLittleEndian<4>(end, zip::kEnd64LocatorSignature);
    appendLittleEndian<4>(end, 0);
    appendLittleEndian<8>(end, offset_);
    appendLittleEndian<4>(end, 1);
  }
  appendLittleEndian<4>(end, zip::kEndSignature);
  appendLittleEndian<2>(end, 0);
  appendLittleEndian<2>(end, 0);
  appendLittleEndian<2>(end, large ? zip::kMax16 : count);
  appendLittleEndian<2>(end, large ? zip::kMax16 : count);
  appendLittleEndian<4>(end, large ? zip::kMax32 : directory_bytes);
  appendLittleEndian<4>(end, large ? zip::kMax32 : directory);
  appendLittleEndian<2>(end, 0);
  return end;
}

Status NpzWriter::commit() {
  std::string directory;
  for (const Written& entry : entries_) {
    directory += centralHeader(entry);
  }
  if (Status status = append(asBytes(directory)); !status) {
    return status;
  }
  if (Status status = file_.write(endRecords(directory.size())); !status) {
    return status;
  }
  return file_.commit();
}

}  // namespace dubito
