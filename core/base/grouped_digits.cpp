// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/grouped_digits.h"

namespace dubito {

std::string groupedDigits(std::int64_t count) {
  // Narrow, and no line breaks at it.
  constexpr const char* kSpace = "\xE2\x80\xAF";
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t end = digits.size(); end > first + 3; end -= 3) {
    digits.insert(end - 3, kSpace);
  }
  return digits;
}

}  // namespace dubito
