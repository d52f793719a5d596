// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/dequantize.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>

#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"

namespace dubito {

using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

constexpr int kLongestTail = 64;

/// Operators behind a head that keep its rows: the first input goes on.
bool isPassedThrough(const std::string& op) {
  static constexpr std::array<const char*, 22> kPassed = {
      "aten::softmax",      "aten::log_softmax",    "aten::sigmoid", "aten::squeeze",
      "aten::view",         "aten::reshape",        "aten::flatten", "aten::contiguous",
      "aten::to",           "aten::float",          "aten::div",     "aten::div_",
      "aten::mul",          "aten::mul_",           "aten::detach",  "aten::clone",
      "aten::alias",        "aten::_softmax",       "aten::dropout", "prim::unchecked_cast",
      "aten::_log_softmax", "dubito::keyed_dropout"};
  return std::any_of(kPassed.begin(), kPassed.end(),
                     [&op](const char* name) { return op == name; });
}

at::Tensor resolveTensor(const Module& module, const Value* value) {
  const auto resolved = resolveValue(module, value);
  return resolved && resolved->isTensor() ? resolved->toTensor() : at::Tensor();
}

/// Fills `head` where `node` is a linear layer.
bool readLinear(const Module& module, Node* node, HeadNode& head) {
  const std::string op = opOf(node);
  const auto take = [&](Node* product, std::size_t feature_input, Value* logits) {
    head.node = product;
    head.feature_input = feature_input;
    head.features = product->input(feature_input);
    head.logits = logits;
  };
  if (op == "aten::linear") {
    take(node, 0, node->output());
    head.weight = resolveTensor(module, node->input(1));
    head.bias = resolveTensor(module, node->input(2));
  } else if (op == "aten::addmm") {
    take(node, 1, node->output());
    const at::Tensor weight = resolveTensor(module, node->input(2));
    head.weight = weight.defined() ? weight.t() : weight;
    head.bias = resolveTensor(module, node->input(0));
  } else if (op == "aten::matmul" || op == "aten::mm") {
    take(node, 0, node->output());
    const at::Tensor weight = resolveTensor(module, node->input(1));
    head.weight = weight.defined() && weight.dim() == 2 ? weight.t() : at::Tensor();
  } else if (op == "aten::add" || op == "aten::add_") {
    Node* const product = node->input(0)->node();
    const std::string product_op = opOf(product);
    if ((product_op != "aten::matmul" && product_op != "aten::mm") ||
        !readLinear(module, product, head)) {
      return false;
    }
    head.logits = node->output();
    head.bias = resolveTensor(module, node->input(1));
  } else if (op == "quantized::linear_dynamic") {
    take(node, 0, node->output());
    head.quantised = true;
    const UnpackedLinear unpacked = unpackQuantised(module, node->input(1));
    head.weight = unpacked.weight;
    head.bias = unpacked.bias;
  } else {
    return false;
  }
  return true;
}

/// The value that a branch hands on, from the branch whose last step is a linear layer or leads to
/// one.
Value* intoBranch(Node* node, const Value* output) {
  std::size_t position = 0;
  while (node->outputs()[position] != output) {
    ++position;
  }
  return node->blocks().back()->outputs()[position];
}

}  // namespace

UnpackedLinear unpackQuantised(const Module& module, const Value* packed) {
  const auto parameters = resolveValue(module, packed);
  const auto op = c10::Dispatcher::singleton().findSchema({"quantized::linear_unpack", ""});
  if (!parameters || !parameters->isObject() || !op) {
    return {};
  }
  torch::jit::Stack stack = {*parameters};
  op->callBoxed(stack);
  UnpackedLinear unpacked;
  unpacked.weight = at::dequantize(stack.at(0).toTensor());
  if (stack.at(1).isTensor()) {
    unpacked.bias = stack.at(1).toTensor();
  }
  return unpacked;
}

HeadNode findHead(torch::jit::Graph& graph, const Module& module) {
  HeadNode head;
  Value* value = graph.outputs()[0];
  for (int step = 0; step < kLongestTail; ++step) {
    Node* const node = value->node();
    const std::string op = opOf(node);
    if (readLinear(module, node, head)) {
      const bool usable = head.weight.defined() && head.weight.dim() == 2;
      if (!usable) {
        head.reason = "the weights of the last " + op + " are computed while running";
      } else if (node->owningBlock() != graph.block()) {
        head.reason = "the last linear layer sits in a branch of the program";
      }
      if (!head.reason.empty()) {
        head.node = nullptr;
      }
      return head;
    }
    if (node->kind() == c10::prim::If) {
      value = intoBranch(node, value);
      continue;
    }
    if (!isPassedThrough(op)) {
      head.reason = "the last layer is " + op + ", which is not linear";
      return head;
    }
    head.softmax_after = head.softmax_after || op == "aten::softmax" || op == "aten::_softmax";
    head.log_after = head.log_after || op == "aten::log_softmax" || op == "aten::_log_softmax";
    value = node->input(0);
  }
  head.reason = "no linear layer was found near the output";
  return head;
}

}  // namespace dubito
