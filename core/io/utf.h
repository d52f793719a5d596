// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/io/bytes.h"

namespace dubito {

/// UTF-32 of 4 bytes a character, as NumPy stores text. What is no character becomes U+FFFD; a rest
/// of fewer than 4 bytes is left out.
[[nodiscard]] std::string utf8FromUtf32(ByteSpan characters, bool big_endian);

/// Little-endian UTF-32; bytes that are not UTF-8 become U+FFFD, one each.
[[nodiscard]] std::string utf32FromUtf8(std::string_view text);

}  // namespace dubito
