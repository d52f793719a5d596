// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"

namespace dubito {

/// An array whose element type is known only at run time, from its file. bool is stored as uint8 (0
/// or 1), half precision as float.
using AnyArray =
    std::variant<Array<std::uint8_t>, Array<std::int8_t>, Array<std::uint16_t>, Array<std::int16_t>,
                 Array<std::uint32_t>, Array<std::int32_t>, Array<std::uint64_t>,
                 Array<std::int64_t>, Array<float>, Array<double>>;

[[nodiscard]] const std::vector<std::int64_t>& shapeOf(const AnyArray& array);
[[nodiscard]] std::int64_t sizeOf(const AnyArray& array);
/// NumPy's name of the element type: "float32".
[[nodiscard]] std::string typeName(const AnyArray& array);
/// True for float and double.
[[nodiscard]] bool isReal(const AnyArray& array);
/// The shape as NumPy prints it: "(3, 4)".
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t>& shape);

/// The elements converted to float or double; shares memory if they already have that type. toFloat
/// rounds doubles.
[[nodiscard]] Array<float> toFloat(const AnyArray& array);
[[nodiscard]] Array<double> toDouble(const AnyArray& array);
/// The elements converted to integers; floating-point elements must be whole numbers. kMalformed
/// for a fraction, NaN, or a number beyond 64 bits; the message names the element as "NAME: element
/// 7 ...", counted from 0 in row-major order.
[[nodiscard]] Expected<Array<std::int64_t>> toInt64(const AnyArray& array, const std::string& name);

}  // namespace dubito
