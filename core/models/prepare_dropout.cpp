// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <array>
#include <map>

#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/sites_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

/// How an operator that drops units is read and switched off.
struct DropoutOp {
  const char* op;
  const char* rate_argument;
  const char* train_argument;  ///< nullptr: on whenever the rate is above 0
  bool keyed;                  ///< our operator can take its place
  bool in_place;
  bool feature;
  const char* refused;
};

constexpr const char* kAlpha =
    "alpha dropout also shifts and scales the units it keeps, which keyed masks do not do";
constexpr const char* kFused = "the operator hands its mask on";
constexpr const char* kAttention = "attention drops its weights inside one fused operator";
constexpr const char* kRecurrent = "the recurrent operator drops units between its own layers";

constexpr std::array<DropoutOp, 15> kDropoutOps = {{
    {"aten::dropout", "p", "train", true, false, false, ""},
    {"aten::dropout_", "p", "train", true, true, false, ""},
    {"aten::feature_dropout", "p", "train", true, false, true, ""},
    {"aten::feature_dropout_", "p", "train", true, true, true, ""},
    {"aten::alpha_dropout", "p", "train", false, false, false, kAlpha},
    {"aten::alpha_dropout_", "p", "train", false, true, false, kAlpha},
    {"aten::feature_alpha_dropout", "p", "train", false, false, true, kAlpha},
    {"aten::feature_alpha_dropout_", "p", "train", false, true, true, kAlpha},
    {"aten::native_dropout", "p", "train", false, false, false, kFused},
    {"aten::scaled_dot_product_attention", "dropout_p", nullptr, false, false, false, kAttention},
    {"aten::lstm", "dropout", "train", false, false, false, kRecurrent},
    {"aten::gru", "dropout", "train", false, false, false, kRecurrent},
    {"aten::rnn_tanh", "dropout", "train", false, false, false, kRecurrent},
    {"aten::rnn_relu", "dropout", "train", false, false, false, kRecurrent},
    {"aten::_scaled_dot_product_flash_attention", "dropout_p", nullptr, false, false, false,
     kAttention},
}};

const DropoutOp* findDropoutOp(const std::string& op) {
  for (const DropoutOp& entry : kDropoutOps) {
    if (op == entry.op) {
      return &entry;
    }
  }
  return nullptr;
}

bool isInLoop(const Node* node) {
  for (const Node* owner = node->owningBlock()->owningNode(); owner != nullptr;
       owner = owner->owningBlock()->owningNode()) {
    if (owner->kind() == c10::prim::Loop) {
      return true;
    }
  }
  return false;
}

/// The rate, where it is known before running.
std::optional<double> rateOf(const torch::jit::Module& module, const Value* rate) {
  const auto value = resolveValue(module, rate);
  if (value && value->isDouble()) {
    return value->toDouble();
  }
  if (value && value->isInt()) {
    return static_cast<double>(value->toInt());
  }
  return std::nullopt;
}

DropoutSite describe(const Node* node, const DropoutOp& op, const torch::jit::Module& module) {
  DropoutSite site;
  site.op = op.op;
  const std::string path = modulePath(node);
  site.name = path.empty() ? "functional" : path;
  site.place = placeOf(node->outputs()[0]);
  site.refused = op.refused;
  const Value* const rate_value = node->input(inputNamed(node, op.rate_argument).value());
  const auto rate = rateOf(module, rate_value);
  site.drop_rate = rate.value_or(0.0);
  if (op.train_argument != nullptr) {
    site.mode = modeOf(node->input(inputNamed(node, op.train_argument).value()));
  } else {
    site.mode = rate ? "always on" : "computed";
  }
  if (site.refused.empty() && isInLoop(node)) {
    site.refused = "it runs inside a loop, where one site would use the same mask every time";
  } else if (site.refused.empty() && !rate) {
    site.refused = "its drop rate is computed while running";
  } else if (site.refused.empty() && (*rate < 0.0 || *rate >= 1.0)) {
    site.refused = fmt::format("its drop rate is {}", *rate);
  }
  return site;
}

void switchOff(Graph& graph, Node* node, const DropoutOp& op) {
  const WithInsertPoint here(node);
  if (op.train_argument != nullptr) {
    node->replaceInput(inputNamed(node, op.train_argument).value(), graph.insertConstant(false));
  } else {
    node->replaceInput(inputNamed(node, op.rate_argument).value(), graph.insertConstant(0.0));
  }
}

void replaceByKeyed(Graph& graph, Node* node, const DropoutOp& op, std::int64_t number) {
  Value* const x = node->input(0);
  const WithInsertPoint here(node);
  Value* const masked = insertKeyedDropout(graph, x, node->input(1), number, op.feature);
  node->output()->replaceAllUsesWith(masked);
  node->destroy();
  if (op.in_place) {
    // Whoever reads x from here on expects what the operator had written into it.
    x->replaceAllUsesAfterNodeWith(masked->node(), masked);
  }
}

/// Attention and recurrent operators are everywhere; they are sites only where their rate is not 0.
bool isSite(const DropoutOp& op, const std::optional<double>& rate) {
  const bool rate_is_aside = std::string(op.rate_argument) != "p";
  return !rate_is_aside || !rate || *rate > 0.0;
}

}  // namespace

std::vector<DropoutSite> replaceDropout(Graph& graph, const torch::jit::Module& module) {
  std::vector<DropoutSite> sites;
  std::map<std::string, int> uses_of_name;
  eachNode(graph.block(), [&](Node* node) {
    const DropoutOp* const op = findDropoutOp(opOf(node));
    if (op == nullptr || !inputNamed(node, op->rate_argument)) {
      return;
    }
    const auto rate = rateOf(module, node->input(*inputNamed(node, op->rate_argument)));
    if (!isSite(*op, rate)) {
      return;
    }
    DropoutSite site = describe(node, *op, module);
    site.site = static_cast<std::int64_t>(sites.size());
    if (const int use = ++uses_of_name[site.name]; use > 1) {
      site.name += fmt::format(" (use {})", use);
    }
    if (site.refused.empty()) {
      replaceByKeyed(graph, node, *op, site.site);
    } else {
      switchOff(graph, node, *op);
    }
    sites.push_back(std::move(site));
  });
  return sites;
}

}  // namespace dubito
