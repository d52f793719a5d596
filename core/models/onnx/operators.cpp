// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/operators.h"

#include <algorithm>
#include <vector>

namespace dubito {

std::span<const OnnxOperator> onnxOperators() {
  static const std::vector<OnnxOperator> all = [] {
    std::vector<OnnxOperator> operators;
    for (const auto topic :
         {elementwiseOperators(),    activationOperators(),    convolutionOperators(),
          poolingOperators(),        normalisationOperators(), shapeOperators(),
          joinOperators(),           creationOperators(),      indexOperators(),
          reductionOperators(),      productOperators(),       recurrentOperators(),
          quantisationOperators(),   resizeOperators(),        machineLearningOperators(),
          integerProductOperators(), fusedOperators(),         attentionOperators(),
          spatialOperators(),        sequenceOperators(),      randomOperators()}) {
      operators.insert(operators.end(), topic.begin(), topic.end());
    }
    return operators;
  }();
  return all;
}

const OnnxOperator* findOperator(std::string_view domain, std::string_view name,
                                 std::int64_t opset) {
  const auto operators = onnxOperators();
  const auto found = std::ranges::find_if(operators, [&](const OnnxOperator& candidate) {
    return candidate.name == name && candidate.domain == domain && opset >= candidate.first_opset &&
           opset <= candidate.last_opset;
  });
  return found == operators.end() ? nullptr : &*found;
}

}  // namespace dubito
