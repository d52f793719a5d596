// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/io/bytes.h"

namespace dubito {

/// The checksum of a zip entry (CRC-32) over `bytes`, continued from that over the bytes before; 0
/// to begin with. As zlib's crc32, but several times faster on processors that multiply without
/// carries.
[[nodiscard]] std::uint32_t zipCrc(std::uint32_t before, ByteSpan bytes);

}  // namespace dubito
