// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that are composed of others.
#include <algorithm>
#include <stdexcept>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"

namespace dubito {

OnnxValue NodeTranslation::part(std::string_view op, const std::vector<const OnnxValue*>& inputs,
                                std::vector<OnnxAttribute> attributes, std::int64_t opset) {
  const OnnxOperator* const found = findOperator({}, op, opset);
  if (found == nullptr) {
    throw std::out_of_range("no operator " + std::string(op));
  }
  OnnxNode node;
  node.op = node_.op;  // errors name the operator that the file states
  node.name = node_.name;
  node.scopes = node_.scopes;
  node.outputs = {"result"};
  node.attributes = std::move(attributes);
  const std::size_t own = node.attributes.size();
  for (const OnnxAttribute& inherited : node_.attributes) {
    const auto end = node.attributes.begin() + static_cast<std::ptrdiff_t>(own);
    if (std::find_if(node.attributes.begin(), end, [&](const OnnxAttribute& attribute) {
          return attribute.name == inherited.name;
        }) == end) {
      node.attributes.push_back(inherited);
    }
  }
  NodeTranslation translation(node, opset, inputs, program_);
  found->translate(translation);
  return std::move(translation.result(0));
}

OnnxAttribute integerAttribute(std::string_view name, std::int64_t value) {
  OnnxAttribute attribute;
  attribute.name = name;
  attribute.integer = value;
  return attribute;
}

OnnxAttribute numberAttribute(std::string_view name, double value) {
  OnnxAttribute attribute;
  attribute.name = name;
  attribute.number = static_cast<float>(value);
  return attribute;
}

OnnxAttribute listAttribute(std::string_view name, std::vector<std::int64_t> values) {
  OnnxAttribute attribute;
  attribute.name = name;
  attribute.integers = std::move(values);
  return attribute;
}

OnnxValue tensorValue(std::string variable, std::optional<at::ScalarType> type,
                      std::optional<OnnxShape> shape) {
  OnnxValue value;
  value.variable = std::move(variable);
  value.type = type;
  value.shape = std::move(shape);
  return value;
}

}  // namespace dubito
