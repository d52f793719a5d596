// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/row_tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/io/run_check.h"

namespace dubito {
namespace {

constexpr int kMinDigits = 2;
constexpr int kMaxDigits = 6;

/// Whether `value` is a multiple of 1 / scale, up to the rounding of its type.
template <class T>
bool isMultiple(T value, double scale) {
  const double scaled = static_cast<double>(value) * scale;
  const double slack = 2.0 * std::numeric_limits<T>::epsilon() * std::abs(scaled) + 1e-12;
  return std::abs(scaled - std::nearbyint(scaled)) <= slack;
}

template <class T>
bool hasDecimals(std::span<const T> values, double scale) {
  return std::ranges::all_of(values, [scale](T value) { return isMultiple(value, scale); });
}

template <class T>
bool hasSignificant(std::span<const T> values, int digits) {
  return std::ranges::all_of(values, [digits](T value) {
    if (value == T{0}) {
      return true;
    }
    const double exponent = std::floor(std::log10(std::abs(static_cast<double>(value)) *
                                                  (1.0 + std::numeric_limits<T>::epsilon())));
    return isMultiple(value, std::pow(10.0, digits - 1 - static_cast<int>(exponent)));
  });
}

template <class T>
RowTolerance toleranceOf(const Array<T>& rows, double total) {
  RowTolerance result{.tolerance = kRowSumTolerance * total};
  const auto classes = static_cast<double>(rows.extent(1));
  for (int digits = kMinDigits; digits <= kMaxDigits; ++digits) {
    // Per cent with d decimals are probabilities with d + 2.
    const double scale = std::pow(10.0, digits) / total;
    if (hasDecimals(rows.values(), scale)) {
      result.decimals = digits;
      result.tolerance =
          std::max(result.tolerance, std::min(classes * 0.5 / scale, kMaxRounding * total));
      return result;
    }
  }
  for (int digits = kMinDigits; digits < kMaxDigits; ++digits) {
    if (hasSignificant(rows.values(), digits)) {
      result.significant = digits;
      result.tolerance = std::max(result.tolerance, 5.0 * std::pow(10.0, -digits) * total);
      return result;
    }
  }
  return result;
}

}  // namespace

std::string RowTolerance::describe() const {
  if (decimals > 0) {
    return fmt::format("rounded to {} decimals", decimals);
  }
  if (imprecise) {
    return "imprecise";
  }
  return significant > 0 ? fmt::format("rounded to {} significant digits", significant) : "";
}

RowTolerance rowTolerance(const Array<float>& rows, double total) {
  return toleranceOf(rows, total);
}

RowTolerance rowTolerance(const Array<double>& rows, double total) {
  return toleranceOf(rows, total);
}

}  // namespace dubito
