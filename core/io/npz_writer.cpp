// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npz_writer.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/npy.h"
#include "core/io/npy_header.h"
#include "core/io/zip_crc.h"
#include "core/io/zip_directory.h"

namespace dubito {
namespace {

constexpr std::uint64_t kArrayAlignment = 64;
constexpr std::size_t kMaxName = 60000;
constexpr std::uint64_t kVersion = 20;
constexpr std::uint64_t kVersion64 = 45;
constexpr std::uint64_t kUtf8Names = 1U << 11;
constexpr std::uint64_t kDosDate = 0x21;               // 1980-01-01: equal runs have equal bytes
constexpr std::uint64_t kUnixMode = 0100644ULL << 16;  // a regular file
constexpr std::uint64_t kMadeOnUnix = 3ULL << 8;

/// The fields shared by the local header and the directory.
std::string sharedFields(std::uint64_t version, std::uint32_t crc32, std::uint64_t bytes,
                         std::size_t name_bytes, std::size_t extra_bytes) {
  std::string fields;
  appendLittleEndian<2>(fields, version);
  appendLittleEndian<2>(fields, kUtf8Names);
  appendLittleEndian<2>(fields, 0);  // stored
  appendLittleEndian<2>(fields, 0);  // time
  appendLittleEndian<2>(fields, kDosDate);
  appendLittleEndian<4>(fields, crc32);
  appendLittleEndian<4>(fields, bytes);
  appendLittleEndian<4>(fields, bytes);
  appendLittleEndian<2>(fields, name_bytes);
  appendLittleEndian<2>(fields, extra_bytes);
  return fields;
}

/// Calls use(part) for consecutive parts of at most kChunk bytes until one fails.
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
        const ByteSpan data = elementBytes(a);
        return addEntry(name, makeNpyHeader(npyDescr<T>(), a.shape()), data.size(),
                        [data](const Append& append_elements) { return append_elements(data); });
      },
      array);
}

Status NpzWriter::addStreamed(const std::string& name, const std::string& descr,
                              const std::vector<std::int64_t>& shape, std::uint64_t element_bytes,
                              const std::function<Status(const Append&)>& produce) {
  std::uint64_t data_bytes = element_bytes;
  for (const std::int64_t extent : shape) {
    data_bytes *= static_cast<std::uint64_t>(extent);
  }
  return addEntry(name, makeNpyHeader(descr, shape), data_bytes, produce);
}

Status NpzWriter::addText(const std::string& name, const std::string& text) {
  return addEntry(name, encodeNpyText(text), 0, [](const Append&) { return Status(); });
}

Status NpzWriter::append(ByteSpan bytes) {
  offset_ += bytes.size();
  return file_.write(bytes);
}

Status NpzWriter::addEntry(const std::string& name, const std::string& head,
                           std::uint64_t data_bytes,
                           const std::function<Status(const Append&)>& produce) {
  const std::string file_name = name + ".npy";
  if (file_name.size() > kMaxName || !names_.insert(file_name).second) {
    throw std::invalid_argument("NpzWriter: duplicate or too long name: " + inQuotes(name));
  }
  Written entry{file_name, zipCrc(0, asBytes(head)), head.size() + data_bytes, offset_};
  if (Status begun = append(asBytes(localHeader(entry) + head)); !begun) {
    return begun;
  }
  std::uint64_t left = data_bytes;
  Status produced = produce([&](ByteSpan elements) {
    if (elements.size() > left) {
      throw std::logic_error("NpzWriter: more elements than the shape of " + inQuotes(name));
    }
    left -= elements.size();
    return forEachChunk(elements, [&](ByteSpan part) {
      entry.crc32 = zipCrc(entry.crc32, part);
      element_bytes_ += part.size();
      const Status written = append(part);
      return written && options_.on_chunk ? options_.on_chunk(element_bytes_) : written;
    });
  });
  if (!produced) {
    return produced;
  }
  if (left != 0) {
    throw std::logic_error("NpzWriter: fewer elements than the shape of " + inQuotes(name));
  }
  // The checksum precedes the elements but is known only after them.
  std::string crc;
  appendLittleEndian<4>(crc, entry.crc32);
  entries_.push_back(entry);
  return file_.writeAt(entry.header_offset + zip::kLocalCrcOffset, asBytes(crc));
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
  const std::uint64_t padding = (kArrayAlignment - unpadded % kArrayAlignment) % kArrayAlignment;
  appendLittleEndian<2>(extra, zip::kExtraAlignment);
  appendLittleEndian<2>(extra, 2 + padding);
  appendLittleEndian<2>(extra, kArrayAlignment);
  extra.append(static_cast<std::size_t>(padding), '\0');

  std::string header;
  appendLittleEndian<4>(header, zip::kLocalSignature);
  header += sharedFields(large ? kVersion64 : kVersion, entry.crc32,
                         large ? zip::kMax32 : entry.bytes, entry.name.size(), extra.size());
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
  const std::uint64_t version = large || far ? kVersion64 : kVersion;
  std::string header;
  appendLittleEndian<4>(header, zip::kCentralSignature);
  appendLittleEndian<2>(header, kMadeOnUnix | version);
  header += sharedFields(version, entry.crc32, large ? zip::kMax32 : entry.bytes, entry.name.size(),
                         extra.size());
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
