// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_crc.h"

#include <zlib.h>

#include <array>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace dubito {
namespace {

std::uint32_t crcOfZlib(std::uint32_t before, ByteSpan bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)

constexpr std::size_t kBlock = 16;

[[gnu::target("pclmul,sse4.1")]] __m128i load(const std::byte* data) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

/// `sum` shifted by the number of bytes encoded in `constants`, plus `block`.
[[gnu::target("pclmul,sse4.1")]] __m128i fold(__m128i sum, __m128i constants, __m128i block) {
  const __m128i low = _mm_clmulepi64_si128(sum, constants, 0x00);
  const __m128i high = _mm_clmulepi64_si128(sum, constants, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), block);
}

/// The checksum over whole blocks, at least four (V. Gopal et al., Fast CRC Computation for Generic
/// Polynomials Using PCLMULQDQ, 2009): bytes are folded into a block that has the same remainder.
[[gnu::target("pclmul,sse4.1")]] std::uint32_t crcOfBlocks(std::uint32_t before, ByteSpan bytes) {
  // Powers of x modulo the polynomial, bits reversed: over 64 and over 16 bytes.
  const __m128i over_four = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i over_one = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size() / kBlock;
  __m128i sums[4] = {load(at), load(at + kBlock), load(at + 2 * kBlock), load(at + 3 * kBlock)};
  sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(static_cast<int>(~before)));
  for (at += 4 * kBlock, left -= 4; left >= 4; at += 4 * kBlock, left -= 4) {
    for (std::size_t i = 0; i < 4; ++i) {
      sums[i] = fold(sums[i], over_four, load(at + i * kBlock));
    }
  }
  __m128i sum = sums[0];
  for (std::size_t i = 1; i < 4; ++i) {
    sum = fold(sum, over_one, sums[i]);
  }
  for (; left > 0; at += kBlock, --left) {
    sum = fold(sum, over_one, load(at));
  }
  std::array<std::byte, kBlock> last;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(last.data()), sum);
  // The preceding bytes are already folded into the block, so zlib starts from nothing.
  return crcOfZlib(~std::uint32_t{0}, last);
}

#endif

}  // namespace

std::uint32_t zipCrc(std::uint32_t before, ByteSpan bytes) {
#if defined(__x86_64__)
  static const bool has_multiplication =
      __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  if (has_multiplication && bytes.size() >= 4 * kBlock) {
    const std::size_t whole = bytes.size() / kBlock * kBlock;
    before = crcOfBlocks(before, bytes.first(whole));
    bytes = bytes.subspan(whole);
  }
#endif
  return crcOfZlib(before, bytes);
}

}  // namespace dubito
