// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/io/zip_builder.h"

#include <zlib.h>

#include <stdexcept>

#include "core/io/bytes.h"

namespace dubito::test {
namespace {

std::string deflated(const std::string& data) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib did not start");
  }
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) {
    throw std::runtime_error("zlib did not finish");
  }
  return out;
}

/// The fields that the local and the central header share.
std::string sharedFields(const ZipSpec& entry, const std::string& stored) {
  const auto truth = static_cast<std::int64_t>(entry.data.size());
  const auto claimed =
      static_cast<std::uint64_t>(entry.claimed_bytes < 0 ? truth : entry.claimed_bytes);
  const bool large = claimed >= 0xFFFFFFFF;
  std::uint64_t crc =
      crc32_z(0, reinterpret_cast<const Bytef*>(entry.data.data()), entry.data.size());
  crc ^= entry.wrong_crc ? 1U : 0U;
  std::string out;
  appendLittleEndian<2>(out, large ? 45 : 20);
  appendLittleEndian<2>(out, entry.encrypted ? 1 : 0);
  appendLittleEndian<2>(out, entry.deflate ? 8 : 0);
  appendLittleEndian<4>(out, 0x210000);
  appendLittleEndian<4>(out, crc);
  appendLittleEndian<4>(out, large ? 0xFFFFFFFF : stored.size());
  appendLittleEndian<4>(out, large ? 0xFFFFFFFF : claimed);
  appendLittleEndian<2>(out, entry.name.size());
  appendLittleEndian<2>(out, large ? 20 : 0);
  return out;
}

std::string extraField(const ZipSpec& entry, const std::string& stored) {
  std::string out;
  if (entry.claimed_bytes >= 0xFFFFFFFF) {
    appendLittleEndian<4>(out, 0x00100001);
    appendLittleEndian<8>(out, static_cast<std::uint64_t>(entry.claimed_bytes));
    appendLittleEndian<8>(out, stored.size());
  }
  return out;
}

}  // namespace

std::string buildZip(const std::vector<ZipSpec>& entries) {
  std::string archive;
  std::string directory;
  for (const ZipSpec& entry : entries) {
    const std::string stored = entry.deflate ? deflated(entry.data) : entry.data;
    const std::string shared = sharedFields(entry, stored);
    const std::string tail = entry.name + extraField(entry, stored);
    directory += std::string("PK\x01\x02") + "\x14" + '\x03' + shared;
    directory.append(10, '\0');
    appendLittleEndian<4>(directory, archive.size());
    directory += tail;
    archive += std::string("PK\x03\x04") + shared + tail + stored;
  }
  const std::size_t offset = archive.size();
  archive += directory + "PK\x05\x06" + std::string(4, '\0');
  appendLittleEndian<2>(archive, entries.size());
  appendLittleEndian<2>(archive, entries.size());
  appendLittleEndian<4>(archive, directory.size());
  appendLittleEndian<4>(archive, offset);
  appendLittleEndian<2>(archive, 0);
  return archive;
}

}  // namespace dubito::test
