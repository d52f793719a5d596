// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/bytes.h"

namespace dubito {

/// What the header of a .npy file says.
struct NpyHeader {
  /// NumPy's kind letter: b (bool), i, u, f, U (text), S (bytes).
  char kind = 'f';
  /// Bytes of one element.
  std::int64_t item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  /// Where the elements start, in bytes from the magic number.
  std::uint64_t data_offset = 0;
  /// Bytes of all elements; the product of shape and item_bytes, known not to overflow.
  std::uint64_t data_bytes = 0;
};

/// The longest header that is read, in bytes. Real ones have 128.
inline constexpr std::uint64_t kLongestNpyHeader = 64 * 1024;

/// Reads the header at the start of `bytes` (the first kLongestNpyHeader bytes are enough) of an
/// array file of `file_bytes` bytes, and checks that the file holds exactly the elements it claims.
/// `name` stands in messages. kMalformed for a broken header or a wrong size, kUnsupported for
/// Python objects, records, complex numbers, dates and numbers of other widths.
[[nodiscard]] Expected<NpyHeader> parseNpyHeader(ByteSpan bytes, std::uint64_t file_bytes,
                                                 const std::string& name);

/// Magic number and header, padded so that what follows starts at a multiple of 64.
/// `descr` is NumPy's name of the element type ("<f4").
[[nodiscard]] std::string makeNpyHeader(const std::string& descr,
                                        const std::vector<std::int64_t>& shape);

}  // namespace dubito
