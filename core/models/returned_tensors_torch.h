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

/// A way into a tuple, a list or a dictionary: a position or a key.
using OutputStep = std::variant<std::int64_t, std::string>;

/// A tensor in what a network returns.
struct ReturnedTensor {
  std::string name;  ///< as OutputTensor::name
  std::vector<OutputStep> steps;
  at::Tensor value;
};

/// All tensors in `value`, in their order.
[[nodiscard]] std::vector<ReturnedTensor> returnedTensors(const c10::IValue& value);

/// Position of the tensor with the class scores of `items` items: the one that the metadata names,
/// else the only one that can be. The error lists all of them, with what to write where; it does
/// not name the file.
[[nodiscard]] Expected<std::size_t> chooseOutput(const std::vector<ReturnedTensor>& tensors,
                                                 const ModelMetadata& metadata, std::int64_t items);

/// "0 'logits' [N, 10], 1 'features' [N, 512]": N for `items`.
[[nodiscard]] std::string listOfTensors(const std::vector<ReturnedTensor>& tensors,
                                        std::int64_t items);

/// Makes `graph` return the tensor at the end of `steps` alone.
void returnOnly(torch::jit::Graph& graph, const std::vector<OutputStep>& steps);

/// Connects what goes into a tuple, a list or a dictionary with where it comes out again, so that
/// the last layer is seen behind it.
void bypassContainers(const std::shared_ptr<torch::jit::Graph>& graph);

}  // namespace dubito
