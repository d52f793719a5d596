// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "core/metrics/selective.h"

namespace dubito {
namespace {

// digits * n stays below 2^64 * 2^63.
__extension__ using Wide = unsigned __int128;

struct Share {
  std::int64_t floor = 0;
  bool exact = false;
};

/// fraction * n with the fraction as the decimal "d.ddd...e-xx" that prints it.
Share shareOf(double fraction, std::int64_t n) {
  if (!(fraction >= 0.0 && fraction <= 1.0) || n < 0) {
    throw std::invalid_argument("a share is a fraction in [0, 1] of a number of items");
  }
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), fraction,
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = text.find('e');
  Wide digits = 0;
  int decimals = 0;
  for (const char c : text.substr(0, mark)) {
    if (c != '.') {
      digits = digits * 10 + static_cast<unsigned>(c - '0');
      ++decimals;
    }
  }
  int exponent = 0;
  const std::string_view exponent_text = text.substr(mark + 2);
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  decimals += (text[mark + 1] == '-' ? exponent : -exponent) - 1;
  Wide product = digits * static_cast<Wide>(n);
  bool exact = true;
  for (; decimals > 0 && product > 0; --decimals) {
    exact = exact && product % 10 == 0;
    product /= 10;
  }
  return {static_cast<std::int64_t>(product), exact};
}

}  // namespace

std::int64_t ceilOfShare(double fraction, std::int64_t n) {
  const Share share = shareOf(fraction, n);
  return share.floor + (share.exact ? 0 : 1);
}

std::int64_t floorOfShare(double fraction, std::int64_t n) {
  return shareOf(fraction, n).floor;
}

}  // namespace dubito
