// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/utf.h"

#include <cstdint>

namespace dubito {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

bool isCharacter(std::uint32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

void appendUtf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
  };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

/// Removes the first character of `text`, which is not empty.
std::uint32_t takeCharacter(std::string_view& text) {
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byteAt(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t code = length < 2 ? lead : lead & (0x7FU >> length);
  bool valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byteAt(i) & 0xC0) == 0x80;
    code = code << 6 | (byteAt(i) & 0x3FU);
  }
  valid = valid && isCharacter(code) && code >= kSmallest[length];
  text.remove_prefix(valid ? length : 1);
  return valid ? code : kReplacement;
}

}  // namespace

std::string utf8FromUtf32(ByteSpan characters, bool big_endian) {
  std::string out;
  out.reserve(characters.size() / 4);
  for (std::size_t at = 0; at + 4 <= characters.size(); at += 4) {
    auto code = static_cast<std::uint32_t>(loadLittleEndian<4>(characters, at));
    if (big_endian) {
      code = __builtin_bswap32(code);
    }
    appendUtf8(out, isCharacter(code) ? code : kReplacement);
  }
  return out;
}

std::string utf32FromUtf8(std::string_view text) {
  std::string out;
  out.reserve(4 * text.size());
  while (!text.empty()) {
    appendLittleEndian<4>(out, takeCharacter(text));
  }
  return out;
}

}  // namespace dubito
