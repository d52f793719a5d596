// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/io/bytes.h"

namespace dubito {

/// The CRC-32 checksum that zip archives use, of `bytes` and all bytes before them. `before` is the
/// checksum of the preceding bytes (0 at the start). Gives the same result as zlib's crc32, but
/// several times faster on CPUs with carry-less multiplication.
[[nodiscard]] std::uint32_t zipCrc(std::uint32_t before, ByteSpan bytes);

}  // namespace dubito
