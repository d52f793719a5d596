// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/ir/constants.h>

#include <set>

#include "core/models/graph_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/number_type_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::WithInsertPoint;

namespace {

bool isHalf(at::ScalarType type) {
  return type == at::kHalf || type == at::kBFloat16;
}

void raiseTensor(const at::Tensor& tensor) {
  if (tensor.defined() && isHalf(tensor.scalar_type())) {
    tensor.set_data(tensor.detach().to(at::kFloat));
  }
}

/// Whether a constant is a half type, in an argument that selects the type of a result.
bool selectsHalf(const Node* node, std::size_t position, const c10::IValue& constant) {
  const c10::FunctionSchema* const schema = node->maybeSchema();
  return schema != nullptr && position < schema->arguments().size() && constant.isInt() &&
         schema->arguments()[position].name() == "dtype" &&
         isHalf(static_cast<at::ScalarType>(constant.toInt()));
}

/// Whether a constant is the type of an autocast on the CPU.
bool isAutocastType(const Node* node, std::size_t position, const c10::IValue& constant) {
  if (opName(node) != "aten::_autocast_to_reduced_precision" || !constant.isInt() ||
      inputIndex(node, "cpu_dtype") != position) {
    return false;
  }
  const auto enabled = torch::jit::toIValue(node->input(inputIndex(node, "cpu_enabled").value()));
  return !enabled || enabled->toBool();
}

bool convertsToHalf(Graph& graph) {
  bool found = false;
  forEachNode(graph.block(), [&found](const Node* node) {
    for (std::size_t i = 0; i < node->inputs().size() && !found; ++i) {
      const auto constant = torch::jit::toIValue(node->input(i));
      found = constant && selectsHalf(node, i, *constant);
    }
  });
  return found;
}

}  // namespace

std::string parameterTypeOf(const Module& module, Graph& graph) {
  at::Tensor weight = firstLayerWeight(module, graph);
  if (!weight.defined()) {
    for (const at::Tensor& parameter : module.parameters()) {
      if (!weight.defined() && parameter.is_floating_point()) {
        weight = parameter;
      }
    }
  }
  return weight.defined() ? c10::toString(weight.scalar_type()) : c10::toString(at::kFloat);
}

bool isHalfNetwork(const Module& module, const std::string& number_type) {
  if (number_type != c10::toString(at::kHalf) && number_type != c10::toString(at::kBFloat16)) {
    return false;
  }
  bool has_wider = false;
  for (const at::Tensor& parameter : module.parameters()) {
    has_wider = has_wider || (parameter.dim() >= 2 && parameter.is_floating_point() &&
                              !isHalf(parameter.scalar_type()));
  }
  return !has_wider;
}

std::string lowerPrecisionIn(const Module& module, Graph& graph) {
  std::set<std::string> found;
  const auto add = [&found](at::ScalarType type) {
    if (isHalf(type)) {
      found.insert(type == at::kHalf ? "float16" : "bfloat16");
    }
  };
  for (const at::Tensor& parameter : module.parameters()) {
    add(parameter.scalar_type());
  }
  for (const at::Tensor& buffer : module.buffers()) {
    add(buffer.scalar_type());
  }
  forEachNode(graph.block(), [&](Node* node) {
    for (std::size_t i = 0; i < node->inputs().size(); ++i) {
      const auto constant = torch::jit::toIValue(node->input(i));
      const bool selects =
          constant && (selectsHalf(node, i, *constant) || isAutocastType(node, i, *constant));
      if (selects) {
        add(static_cast<at::ScalarType>(constant->toInt()));
      } else if (constant && constant->isTensor() && constant->toTensor().defined()) {
        add(constant->toTensor().scalar_type());
      }
    }
  });
  return fmt::format("{}", fmt::join(found, " and "));
}

void promoteHalfPrecision(Module& module) {
  for (const at::Tensor& parameter : module.parameters()) {
    raiseTensor(parameter);
  }
  for (const at::Tensor& buffer : module.buffers()) {
    raiseTensor(buffer);
  }
}

void promoteHalfPrecision(Graph& graph) {
  forEachNode(graph.block(), [&graph](Node* node) {
    if (node->kind() == c10::prim::Constant) {
      const auto constant = torch::jit::toIValue(node->output());
      if (constant && constant->isTensor() && isHalf(constant->toTensor().scalar_type())) {
        const WithInsertPoint here(node);
        node->output()->replaceAllUsesWith(
            graph.insertConstant(constant->toTensor().to(at::kFloat)));
        node->destroy();
      }
      return;
    }
    for (std::size_t i = 0; i < node->inputs().size(); ++i) {
      const auto constant = torch::jit::toIValue(node->input(i));
      if (constant && selectsHalf(node, i, *constant)) {
        const WithInsertPoint here(node);
        node->replaceInput(i, graph.insertConstant(static_cast<std::int64_t>(at::kFloat)));
      }
    }
  });
}

void convertInput(Graph& graph, const Module& module) {
  const at::Tensor weight = firstLayerWeight(module, graph);
  if (!weight.defined()) {
    return;
  }
  const bool is_half = isHalf(weight.scalar_type()) && !convertsToHalf(graph);
  if (weight.scalar_type() != at::kDouble && !is_half) {
    return;
  }
  torch::jit::Value* const input = graph.inputs().at(1);
  const WithInsertPoint at_start(*graph.nodes().begin());
  torch::jit::Value* const converted = graph.insert(
      c10::aten::to, {input, static_cast<std::int64_t>(weight.scalar_type()), false, false});
  input->replaceAllUsesAfterNodeWith(converted->node(), converted);
}

}  // namespace dubito
