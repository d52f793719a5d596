// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/any_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace dubito {
namespace {

template <class To>
Array<To> convert(const AnyArray& array) {
  return std::visit(
      [](const auto& source) {
        using From = std::remove_cvref_t<decltype(source.data()[0])>;
        if constexpr (std::is_same_v<From, To>) {
          return source;
        } else {
          Array<To> target = Array<To>::zeros(source.shape());
          std::ranges::transform(source.values(), target.mutableData(),
                                 [](From value) { return static_cast<To>(value); });
          return target;
        }
      },
      array);
}

template <class T>
bool fitsInt64(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    // Both bounds are exact in either type; NaN fails every comparison.
    return value >= static_cast<T>(-0x1p63) && value < static_cast<T>(0x1p63) &&
           value == std::trunc(value);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  } else {
    return true;
  }
}

}  // namespace

const std::vector<std::int64_t>& shapeOf(const AnyArray& array) {
  return std::visit([](const auto& a) -> const std::vector<std::int64_t>& { return a.shape(); },
                    array);
}

std::int64_t sizeOf(const AnyArray& array) {
  return std::visit([](const auto& a) { return a.size(); }, array);
}

std::string typeName(const AnyArray& array) {
  return std::visit(
      [](const auto& a) {
        using T = std::remove_cvref_t<decltype(a.data()[0])>;
        const char* const kind = std::is_floating_point_v<T> ? "float"
                                 : std::is_signed_v<T>       ? "int"
                                                             : "uint";
        return fmt::format("{}{}", kind, 8 * sizeof(T));
      },
      array);
}

bool isReal(const AnyArray& array) {
  return std::holds_alternative<Array<float>>(array) ||
         std::holds_alternative<Array<double>>(array);
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Array<float> toFloat(const AnyArray& array) {
  return convert<float>(array);
}

Array<double> toDouble(const AnyArray& array) {
  return convert<double>(array);
}

Expected<Array<std::int64_t>> toInt64(const AnyArray& array, const std::string& name) {
  return std::visit(
      [&](const auto& source) -> Expected<Array<std::int64_t>> {
        const auto values = source.values();
        const auto bad =
            std::ranges::find_if_not(values, [](auto value) { return fitsInt64(value); });
        if (bad != values.end()) {
          return fail(ErrorCode::kMalformed,
                      fmt::format("{}: element {} is {}, not a 64-bit integer; store whole numbers "
                                  "as integers",
                                  name, bad - values.begin(), *bad));
        }
        return convert<std::int64_t>(array);
      },
      array);
}

}  // namespace dubito
