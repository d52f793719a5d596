// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/models/exported/tensor_meta_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kStridedLayout = 7;
constexpr std::size_t kShownLetters = 40;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 48;

/// A size, stride or offset, which must be a number.
std::int64_t numberIn(const nlohmann::json& size) {
  const nlohmann::json& number = size.is_object() ? size.at("as_int") : size;
  const std::int64_t value = integerIn(number);
  if (value < 0 || value > kMaxElements) {
    throw std::runtime_error(fmt::format("a tensor has the size or stride {}", value));
  }
  return value;
}

std::vector<std::int64_t> numbersIn(const nlohmann::json& sizes) {
  std::vector<std::int64_t> numbers;
  for (const nlohmann::json& size : sizes) {
    numbers.push_back(numberIn(size));
  }
  return numbers;
}

}  // namespace

std::int64_t integerIn(const nlohmann::json& value) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= kLargest);
  if (!fits) {
    throw std::runtime_error(fmt::format("it states {} instead of a whole number",
                                         shownText(jsonText(value, -1), kShownLetters)));
  }
  return value.get<std::int64_t>();
}

std::optional<at::ScalarType> scalarTypeOf(std::int64_t serial) {
  constexpr std::array<std::pair<std::int64_t, at::ScalarType>, 13> kTypes = {{
      {1, at::kByte},
      {2, at::kChar},
      {3, at::kShort},
      {4, at::kInt},
      {5, at::kLong},
      {6, at::kHalf},
      {7, at::kFloat},
      {8, at::kDouble},
      {9, at::kComplexHalf},
      {10, at::kComplexFloat},
      {11, at::kComplexDouble},
      {12, at::kBool},
      {13, at::kBFloat16},
  }};
  for (const auto& [number, type] : kTypes) {
    if (number == serial) {
      return type;
    }
  }
  return std::nullopt;
}

at::Tensor tensorIn(const at::Tensor& record, const nlohmann::json& meta) {
  const std::int64_t serial = integerIn(meta.at("dtype"));
  const std::optional<at::ScalarType> type = scalarTypeOf(serial);
  if (!type) {
    throw std::runtime_error(
        fmt::format("a tensor has numbers of type {}, which cannot be "
                    "computed with here",
                    serial));
  }
  if (meta.contains("layout") && integerIn(meta["layout"]) != kStridedLayout) {
    throw std::runtime_error("a tensor is sparse");
  }
  const std::vector<std::int64_t> sizes = numbersIn(meta.at("sizes"));
  const std::vector<std::int64_t> strides = numbersIn(meta.at("strides"));
  const std::int64_t offset =
      meta.contains("storage_offset") ? numberIn(meta["storage_offset"]) : 0;
  if (strides.size() != sizes.size()) {
    throw std::runtime_error("a tensor has another number of strides than of sizes");
  }
  __int128 last = offset;
  bool is_empty = false;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    is_empty = is_empty || sizes[axis] == 0;
    last += static_cast<__int128>(sizes[axis] - 1) * strides[axis];
  }
  const auto item = static_cast<std::int64_t>(c10::elementSize(*type));
  const std::int64_t elements = record.numel() / item;
  if (!is_empty && last >= elements) {
    throw std::runtime_error("a tensor is larger than its record");
  }
  if (is_empty) {
    return at::empty(sizes, *type);
  }
  return record.slice(0, 0, elements * item).view(*type).as_strided(sizes, strides, offset);
}

}  // namespace dubito
