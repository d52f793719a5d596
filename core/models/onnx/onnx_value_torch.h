// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/models/onnx/onnx_file.h"

namespace dubito {

/// A size that is only known when the program runs.
inline constexpr std::int64_t kUnknownSize = -1;
using OnnxShape = std::vector<std::int64_t>;

/// An integer in the translated program.
struct ProgramInteger {
  std::string text;  ///< a number, or the variable that holds it
  std::optional<std::int64_t> known;

  [[nodiscard]] static ProgramInteger of(std::int64_t number) {
    return {std::to_string(number), number};
  }
};

/// What is known about a value of an ONNX graph before the translated program runs. It is one of: a
/// constant, integers that are computed from sizes of tensors, a tensor in a variable, or a
/// sequence of such values.
struct OnnxValue {
  std::shared_ptr<const OnnxTensor> stored;  ///< a constant of the file
  at::Tensor constant;                       ///< a constant that was read or computed
  /// The constant of the file whose elements `constant` has in another order or shape: exporters
  /// transpose weights by nodes.
  std::shared_ptr<const OnnxTensor> rearranged;
  /// Elements of a scalar or vector. They stay numbers of the program, so that sizes are computed
  /// on the CPU, whatever the device of the network.
  std::optional<std::vector<ProgramInteger>> integers;
  bool is_scalar = false;  ///< of `integers`: no axes instead of one
  std::string variable;
  /// Elements of a sequence, whose number is known; they have types and shapes of their own.
  std::shared_ptr<const std::vector<OnnxValue>> sequence;

  std::optional<at::ScalarType> type;
  std::optional<OnnxShape> shape;  ///< sizes may be unknown; absent if even their number is

  [[nodiscard]] bool isConstant() const { return stored != nullptr || constant.defined(); }
  /// The constant of the file that a constant is, perhaps rearranged; nullptr if it was computed.
  [[nodiscard]] const std::shared_ptr<const OnnxTensor>& origin() const {
    return stored != nullptr ? stored : rearranged;
  }
  [[nodiscard]] std::optional<std::int64_t> rank() const {
    return shape ? std::optional(static_cast<std::int64_t>(shape->size())) : std::nullopt;
  }
};

}  // namespace dubito
