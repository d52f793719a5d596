// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip_crc.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <span>
#include <string>

namespace dubito {
namespace {

std::uint32_t expected(std::uint32_t before, std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

TEST(ZipCrc, IsThatOfZlibForEverySizeAndPlace) {
  std::mt19937 random(5);
  std::string text(70'000, '\0');
  for (char& letter : text) {
    letter = static_cast<char>(random());
  }
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t size = 0; size < 400; ++size) {
    for (const std::size_t offset : {0, 1, 7, 8, 15}) {
      const auto part = bytes.subspan(offset, size);
      EXPECT_EQ(zipCrc(0, part), expected(0, part)) << size << ' ' << offset;
      EXPECT_EQ(zipCrc(0x12345678, part), expected(0x12345678, part)) << size << ' ' << offset;
    }
  }
  EXPECT_EQ(zipCrc(0, bytes), expected(0, bytes));
  EXPECT_EQ(zipCrc(zipCrc(0, bytes.first(33'333)), bytes.subspan(33'333)), expected(0, bytes));
  // The check value of the zip format.
  const std::string digits = "123456789";
  EXPECT_EQ(zipCrc(0, std::as_bytes(std::span(digits))), 0xCBF43926U);
}

}  // namespace
}  // namespace dubito
