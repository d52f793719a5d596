// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace dubito::fuzz {

/// A file in memory that holds the fuzzer's bytes, under a name that ends in `extension` (with its
/// dot), because some readers look at it. One a process; the next call replaces its bytes.
[[nodiscard]] std::string scratchFile(const std::uint8_t* data, std::size_t size,
                                      const std::string& extension);

}  // namespace dubito::fuzz
