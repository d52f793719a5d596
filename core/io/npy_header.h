// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/bytes.h"

namespace dubito {

/// The header of a .npy file.
struct NpyHeader {
  /// NumPy's kind code: b (bool), i (signed), u (unsigned), f (real), U (text), S (bytes).
  char kind = 'f';
  /// Bytes of one element.
  std::int64_t item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  /// Offset of the elements, in bytes from the magic number.
  std::uint64_t data_offset = 0;
  /// Bytes of all elements: the product of shape and item_bytes, checked for overflow.
  std::uint64_t data_bytes = 0;
};

/// Maximum header size, in bytes. Typical headers have 128 bytes.
inline constexpr std::uint64_t kMaxNpyHeaderBytes = 64 * 1024;

/// Reads the header at the start of `bytes` (the first kMaxNpyHeaderBytes bytes suffice) of a .npy
/// file of `file_bytes` bytes, and checks that the file contains exactly the elements it claims.
/// `name` is used in messages. kMalformed for an invalid header or a wrong size; kUnsupported for
/// Python objects, records, complex numbers, dates and element sizes that AnyArray lacks.
[[nodiscard]] Expected<NpyHeader> parseNpyHeader(ByteSpan bytes, std::uint64_t file_bytes,
                                                 const std::string& name);

/// The magic number and the header, padded so that the elements start at a multiple of 64 bytes.
/// `descr` is NumPy's descriptor of the element type ("<f4").
[[nodiscard]] std::string makeNpyHeader(const std::string& descr,
                                        const std::vector<std::int64_t>& shape);

}  // namespace dubito
