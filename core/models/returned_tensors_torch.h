// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// A step into a tuple, list or dictionary: a position or a key.
using OutputStep = std::variant<std::int64_t, std::string>;

/// A tensor among the values that a network returns.
struct ReturnedTensor {
  std::string name;               ///< see OutputTensor::name
  std::vector<OutputStep> steps;  ///< lead from the returned value to the tensor
  at::Tensor value;
};

/// All tensors in `value`, in order.
[[nodiscard]] std::vector<ReturnedTensor> returnedTensors(const c10::IValue& value);

/// Position of the tensor with the class scores of `items` items: the one that the metadata names;
/// else the only one of shape [items, classes], for the number of class names in the metadata or,
/// if that does not decide, for any number of classes. If this fails, the message lists all tensors
/// and says what to write into the metadata; the caller must prefix the path of the model.
[[nodiscard]] Expected<std::size_t> chooseOutput(const std::vector<ReturnedTensor>& tensors,
                                                 const ModelMetadata& metadata, std::int64_t items);

/// "0 'logits' [N, 10], 1 'features' [N, 512]"; N stands for `items`.
[[nodiscard]] std::string describeTensors(const std::vector<ReturnedTensor>& tensors,
                                          std::int64_t items);

/// Makes `graph` return only the tensor that `steps` lead to.
void returnOnly(torch::jit::Graph& graph, const std::vector<OutputStep>& steps);

/// Connects values stored in a tuple, list or dictionary directly with the nodes that read them, so
/// that the last layer can be found by walking back from the output.
void bypassContainers(const std::shared_ptr<torch::jit::Graph>& graph);

}  // namespace dubito
