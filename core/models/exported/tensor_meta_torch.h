// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace dubito {

/// A whole number that a program states. Throws std::runtime_error for other values: those beyond
/// 64 bits have no conversion.
[[nodiscard]] std::int64_t integerIn(const nlohmann::json& value);

/// The type of numbers that the schema of exported programs numbers `serial`; nullopt for numbers
/// that are not defined there or not computed with here.
[[nodiscard]] std::optional<at::ScalarType> scalarTypeOf(std::int64_t serial);

/// A view of a record, [bytes] of kByte, as the tensor that `meta` (TensorMeta in the schema)
/// describes. Throws std::runtime_error, saying why, if sizes, strides or offset lead beyond the
/// record, are symbolic, or the type or layout is not supported.
[[nodiscard]] at::Tensor tensorIn(const at::Tensor& record, const nlohmann::json& meta);

}  // namespace dubito
