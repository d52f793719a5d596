// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/models/graph_torch.h"
#include "core/models/head_torch.h"
#include "core/models/layer_nodes_torch.h"

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

/// Fills `head` where `node` is a linear layer.
bool readLinear(const Module& module, Node* node, HeadNode& head) {
  const auto layer = linearLayer(module, node);
  if (!layer) {
    return false;
  }
  head.node = layer->features.node;
  head.feature_input = layer->features.position;
  head.features = head.node->input(head.feature_input);
  head.logits = layer->output;
  head.weight = layer->weight_values;
  head.bias = layer->bias_values;
  head.quantised = layer->quantised;
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
