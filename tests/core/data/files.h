// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dubito::test {

/// The bytes of an idx file of unsigned bytes with this shape in its header, whatever `data` holds.
[[nodiscard]] std::string idxBytes(const std::vector<std::uint32_t>& shape,
                                   const std::string& data);

/// `bytes` as one gzip stream.
[[nodiscard]] std::string gzipped(const std::string& bytes);

/// `count` bytes 0, 1, 2, ... 255, 0, ...
[[nodiscard]] std::string countingBytes(std::size_t count);

}  // namespace dubito::test
