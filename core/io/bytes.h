// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dubito {

/// Bytes of a file, or of a part of one.
using ByteSpan = std::span<const std::byte>;

[[nodiscard]] inline ByteSpan asBytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// The little-endian number of `kSize` bytes at `offset`. The caller must check that it lies inside
/// `bytes`.
template <std::size_t kSize>
[[nodiscard]] std::uint64_t loadLittleEndian(ByteSpan bytes, std::uint64_t offset) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    value |= std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(offset) + i]) << (8 * i);
  }
  return value;
}

/// Appends `value` as a little-endian number of `kSize` bytes.
template <std::size_t kSize>
void appendLittleEndian(std::string& out, std::uint64_t value) {
  for (std::size_t i = 0; i < kSize; ++i) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * i))));
  }
}

/// True if the range [offset, offset + length) lies inside [0, size); safe against overflow.
[[nodiscard]] inline bool liesInside(std::uint64_t offset, std::uint64_t length,
                                     std::uint64_t size) {
  return offset <= size && length <= size - offset;
}

}  // namespace dubito
