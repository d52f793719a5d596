// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace dubito::cli {

/// Accepts only decimal integers in the range of T. CLI11 itself wraps negative numbers around,
/// saturates at the maximum and reads a leading zero as octal.
template <class T>
[[nodiscard]] CLI::Validator wholeNumber() {
  CLI::Validator validator;
  validator.operation([](std::string& text) -> std::string {
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* const end = text.data() + text.size();
    T number{};
    const auto [rest, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || rest != end) {
      return fmt::format("'{}' is not a whole number from {} to {}", text,
                         std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }
    text = fmt::format("{}", number);
    return {};
  });
  return validator;
}

}  // namespace dubito::cli
