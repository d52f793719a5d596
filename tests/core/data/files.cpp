// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/files.h"

#include <zlib.h>

#include <stdexcept>

namespace dubito::test {

std::string idxBytes(const std::vector<std::uint32_t>& shape, const std::string& data) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(shape.size())};
  for (const std::uint32_t extent : shape) {
    for (const int shift : {24, 16, 8, 0}) {
      bytes.push_back(static_cast<char>((extent >> shift) & 0xFFU));
    }
  }
  return bytes + data;
}

std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kDefaultMemory = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kDefaultMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2 failed");
  }
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) {
    throw std::runtime_error("deflate failed");
  }
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string countingBytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<char>(i & 0xFFU);
  }
  return bytes;
}

}  // namespace dubito::test
