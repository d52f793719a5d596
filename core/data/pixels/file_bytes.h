// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dubito {

/// Whether the bytes from position `at` on begin with `text`.
[[nodiscard]] inline bool hasAt(std::span<const std::uint8_t> bytes, std::size_t at,
                                std::string_view text) {
  return at <= bytes.size() && text.size() <= bytes.size() - at &&
         std::ranges::equal(text, bytes.subspan(at, text.size()), [](char a, std::uint8_t b) {
           return static_cast<std::uint8_t>(a) == b;
         });
}

/// `count` bytes at `at` as a number; nothing if the data ends before that.
[[nodiscard]] inline std::optional<std::uint64_t> numberAt(std::span<const std::uint8_t> bytes,
                                                           std::uint64_t at, std::uint64_t count,
                                                           bool big_endian = false) {
  if (at > bytes.size() || count > bytes.size() - at) {
    return std::nullopt;
  }
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t byte = bytes[static_cast<std::size_t>(at + i)];
    value |= byte << (8 * (big_endian ? count - 1 - i : i));
  }
  return value;
}

}  // namespace dubito
