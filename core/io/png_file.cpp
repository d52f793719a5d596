// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/png_file.h"

#include <zlib.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/io/atomic_file.h"
#include "core/io/bytes.h"
#include "core/io/zip_crc.h"

namespace dubito {
namespace {

constexpr std::string_view kHeaderEnd("\x08\x02\0\0\0",
                                      5);  // 8 bits, RGB, no filter or interlacing
constexpr std::int64_t kChannels = 3;

std::string bigEndian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(number >> shift & 0xff);
  }
  return bytes;
}

}  // namespace

std::string pngChunk(std::string_view name, std::string_view content) {
  std::string checked(name);
  checked += content;
  return bigEndian(static_cast<std::uint32_t>(content.size())) + checked +
         bigEndian(zipCrc(0, asBytes(checked)));
}

Status writePng(const std::string& path, const Image8& image) {
  if (image.pixels.rank() != 3 || image.channels() != kChannels) {
    throw std::invalid_argument("writePng: the image must be [height, width, 3]");
  }
  const auto row_bytes = static_cast<std::size_t>(image.width() * kChannels);
  std::string rows;
  for (std::int64_t y = 0; y < image.height(); ++y) {
    rows += '\0';  // no filter
    rows.append(reinterpret_cast<const char*>(image.pixels.row(y).data()), row_bytes);
  }
  uLongf bytes = compressBound(static_cast<uLong>(rows.size()));
  std::string compressed(bytes, '\0');
  if (compress(reinterpret_cast<Bytef*>(compressed.data()), &bytes,
               reinterpret_cast<const Bytef*>(rows.data()),
               static_cast<uLong>(rows.size())) != Z_OK) {
    return fail(ErrorCode::kOutOfMemory, path + ": not enough memory to compress the picture");
  }
  compressed.resize(bytes);
  std::string png(kPngSignature);
  png += pngChunk("IHDR", bigEndian(static_cast<std::uint32_t>(image.width())) +
                              bigEndian(static_cast<std::uint32_t>(image.height())) +
                              std::string(kHeaderEnd));
  png += pngChunk("IDAT", compressed);
  png += pngChunk("IEND", {});
  return writeFileAtomically(path, std::string_view(png));
}

}  // namespace dubito
