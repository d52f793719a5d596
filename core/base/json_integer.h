// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace dubito {

/// The whole number `value`, also if it is written as 5.0. Throws nlohmann's type_error if it is
/// none, or if T cannot hold it: get() would cut off the fraction, and turn 1e300 into anything.
template <std::integral T>
[[nodiscard]] T integerFrom(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    if (const auto number = value.get<std::uint64_t>(); std::in_range<T>(number)) {
      return static_cast<T>(number);
    }
  } else if (value.is_number_integer()) {
    if (const auto number = value.get<std::int64_t>(); std::in_range<T>(number)) {
      return static_cast<T>(number);
    }
  } else if (value.is_number_float()) {
    const auto number = value.get<double>();
    const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double lowest = std::numeric_limits<T>::is_signed ? -above : 0.0;
    if (number == std::floor(number) && number >= lowest && number < above) {
      return static_cast<T>(number);
    }
  }
  throw nlohmann::json::type_error::create(
      302,
      "a whole number is needed, not " +
          value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
      &value);
}

/// As value.get_to(target); integers are read by integerFrom().
template <class T>
void readInto(const nlohmann::json& value, T& target) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    target = integerFrom<T>(value);
  } else {
    value.get_to(target);
  }
}

}  // namespace dubito
