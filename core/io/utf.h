// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/io/bytes.h"

namespace dubito {

/// Converts UTF-32, the encoding of NumPy strings, to UTF-8. Invalid characters become U+FFFD; an
/// incomplete last character is dropped.
[[nodiscard]] std::string utf8FromUtf32(ByteSpan characters, bool big_endian);

/// Converts UTF-8 to little-endian UTF-32; every invalid byte becomes U+FFFD.
[[nodiscard]] std::string utf32FromUtf8(std::string_view text);

}  // namespace dubito
