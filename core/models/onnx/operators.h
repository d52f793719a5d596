// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace dubito {

class NodeTranslation;

/// An operator of ONNX and its translation into lines of a program.
struct OnnxOperator {
  std::string_view name;
  void (*translate)(NodeTranslation&) = nullptr;
  std::string_view domain = {};  ///< empty: ONNX itself
  std::int64_t first_opset = 1;
  std::int64_t last_opset = std::numeric_limits<std::int64_t>::max();
  /// Whether results for constant inputs are computed at once. No: results may be large, or random.
  bool is_folded = true;
};

inline constexpr std::string_view kMachineLearningDomain = "ai.onnx.ml";
/// Operators of onnxruntime, which its tools for quantisation and optimisation write.
inline constexpr std::string_view kMicrosoftDomain = "com.microsoft";

// The operators by topic.
std::span<const OnnxOperator> elementwiseOperators();
std::span<const OnnxOperator> activationOperators();
std::span<const OnnxOperator> convolutionOperators();
std::span<const OnnxOperator> poolingOperators();
std::span<const OnnxOperator> normalisationOperators();
std::span<const OnnxOperator> shapeOperators();
std::span<const OnnxOperator> joinOperators();
std::span<const OnnxOperator> creationOperators();
std::span<const OnnxOperator> indexOperators();
std::span<const OnnxOperator> reductionOperators();
std::span<const OnnxOperator> productOperators();
std::span<const OnnxOperator> recurrentOperators();
std::span<const OnnxOperator> quantisationOperators();
std::span<const OnnxOperator> resizeOperators();
std::span<const OnnxOperator> machineLearningOperators();
std::span<const OnnxOperator> integerProductOperators();
std::span<const OnnxOperator> fusedOperators();
std::span<const OnnxOperator> attentionOperators();
std::span<const OnnxOperator> spatialOperators();
std::span<const OnnxOperator> sequenceOperators();
std::span<const OnnxOperator> randomOperators();

/// All operators, one topic after the other.
[[nodiscard]] std::span<const OnnxOperator> onnxOperators();

/// The operator of this name and opset; nullptr if it is not supported.
[[nodiscard]] const OnnxOperator* findOperator(std::string_view domain, std::string_view name,
                                               std::int64_t opset);

}  // namespace dubito
