// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/splitmix64.h"

namespace dubito {

/// Hash of a sequence of numbers and characters; depends on their order.
class NumberHash {
 public:
  void add(std::uint64_t value) { state_ = splitmix64(state_ ^ splitmix64(value + ++count_)); }
  void add(const std::string& text) {
    for (const char c : text) {
      add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }
  /// value() as 16 hexadecimal digits.
  [[nodiscard]] std::string hex() const {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 0; i < text.size(); ++i) {
      text[i] = kDigits[(state_ >> (4 * (15 - i))) & 15U];
    }
    return text;
  }

 private:
  std::uint64_t state_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace dubito
