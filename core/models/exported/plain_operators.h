// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace dubito {

/// A part of torch that exports replace by its pieces ("aten::native_layer_norm"), and the operator
/// in whose terms the product looks for layers, dropout and normalisation ("aten::layer_norm").
struct PlainOperator {
  std::string_view exported;
  std::string_view plain;
  std::string_view overload;  ///< of the plain operator
  /// Arguments with other names: that of the plain operator, that of the exported one.
  std::span<const std::pair<std::string_view, std::string_view>> renamed;
  /// Flags that only the plain operator has.
  std::span<const std::pair<std::string_view, bool>> flags;
};

/// How to write an exported operator; nullptr if it is written as it is. The plain operator returns
/// only the first output of the exported one.
[[nodiscard]] const PlainOperator* plainOperator(std::string_view exported);

/// Whether an operator only asserts what the export assumed about sizes and types.
[[nodiscard]] bool isAssertion(std::string_view name);

}  // namespace dubito
