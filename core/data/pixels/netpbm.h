// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace dubito {

/// The header of a Netpbm file: PBM, PGM, PPM (P1 to P6) or PAM (P7).
struct NetpbmHeader {
  int kind = 0;  ///< the digit after P
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t channels = 1;
  std::uint64_t white = 1;    ///< largest value of a sample
  std::uint64_t data_at = 0;  ///< position of the first sample

  [[nodiscard]] bool isText() const { return kind >= 1 && kind <= 3; }
};

/// Nothing if `bytes`, the start of a file or all of it, do not begin with such a header.
[[nodiscard]] std::optional<NetpbmHeader> netpbmHeader(std::span<const std::uint8_t> bytes);

/// Why the file is refused; empty if it is accepted. See image_size.h.
[[nodiscard]] std::string netpbmDefect(std::span<const std::uint8_t> bytes);

}  // namespace dubito
