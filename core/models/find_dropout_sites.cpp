// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "core/models/graph_torch.h"
#include "core/models/keyed_sites_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/random_mask_torch.h"
#include "core/models/random_numbers_torch.h"
#include "core/models/training_flags_torch.h"
#include "core/models/unit_dropout_torch.h"
#include "core/models/written_memory_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
using torch::jit::WithInsertPoint;

namespace {

/// How to read and switch off an operator that drops units.
struct DropoutOp {
  const char* op;
  const char* rate_argument;
  const char* train_argument;  ///< nullptr: on whenever the rate is above 0
  bool in_place;
  bool feature;
  bool alpha;
};

constexpr std::array<DropoutOp, 14> kDropoutOps = {{
    {"aten::dropout", "p", "train", false, false, false},
    {"aten::dropout_", "p", "train", true, false, false},
    {"aten::feature_dropout", "p", "train", false, true, false},
    {"aten::feature_dropout_", "p", "train", true, true, false},
    {"aten::alpha_dropout", "p", "train", false, false, true},
    {"aten::alpha_dropout_", "p", "train", true, false, true},
    {"aten::feature_alpha_dropout", "p", "train", false, true, true},
    {"aten::feature_alpha_dropout_", "p", "train", true, true, true},
    {"aten::native_dropout", "p", "train", false, false, false},
    {"aten::scaled_dot_product_attention", "dropout_p", nullptr, false, false, false},
    {"aten::lstm", "dropout", "train", false, false, false},
    {"aten::gru", "dropout", "train", false, false, false},
    {"aten::rnn_tanh", "dropout", "train", false, false, false},
    {"aten::rnn_relu", "dropout", "train", false, false, false},
}};

const DropoutOp* findDropoutOp(const std::string& op) {
  const auto* const found = std::find_if(kDropoutOps.begin(), kDropoutOps.end(),
                                         [&op](const DropoutOp& entry) { return op == entry.op; });
  return found == kDropoutOps.end() ? nullptr : found;
}

/// Position of the drop rate among the inputs, also for operators that are not in the table.
std::optional<std::size_t> rateInput(const Node* node) {
  if (const DropoutOp* const op = findDropoutOp(opName(node))) {
    return inputIndex(node, op->rate_argument);
  }
  for (const char* argument : {"dropout_p", "dropout"}) {
    if (const auto input = inputIndex(node, argument)) {
      return input;
    }
  }
  return opName(node).find("dropout") == std::string::npos ? std::nullopt : inputIndex(node, "p");
}

std::optional<double> numberOf(const std::optional<c10::IValue>& value) {
  return value && (value->isDouble() || value->isInt())
             ? std::optional<double>(value->toScalar().toDouble())
             : std::nullopt;
}

/// A node that may drop units, as far as is known before running.
struct Found {
  Node* node = nullptr;
  const DropoutOp* op = nullptr;  ///< null: not in the table
  std::size_t rate_input = 0;
  std::optional<double> rate;            ///< in training
  std::optional<double> inference_rate;  ///< differs if the program computes the rate
};

/// "before fc2" for plain dropout; inside the operator for all others.
DropoutSite describe(const Found& found, const torch::jit::Module& module) {
  DropoutSite site;
  site.op = opName(found.node);
  const std::string path = modulePath(found.node);
  site.name = path.empty() ? "functional" : path;
  site.drop_rate = found.rate.value_or(0.0);
  site.place = placeOf(found.node->outputs()[0]);
  if (site.op == "aten::scaled_dot_product_attention") {
    site.place = "on attention weights, " + site.place;
  } else if (hasKeyedVersion(site.op)) {
    site.place = "between recurrent layers, " + site.place;
  }
  if (found.op != nullptr && found.op->train_argument != nullptr) {
    site.mode = modeOf(found.node->input(inputIndex(found.node, found.op->train_argument).value()));
  } else {
    site.mode = found.rate ? "always on" : "computed";
  }
  if (site.mode == "always on" &&
      (found.inference_rate == 0.0 || runsOnlyInTraining(module, found.node))) {
    site.mode = "follows training";
  }
  return site;
}

/// Why keyed dropout cannot replace this node; empty if it can.
std::string refusal(const Found& found) {
  const Node* const node = found.node;
  if (found.op == nullptr) {
    return "the operator drops units internally, where keyed masks cannot be applied";
  }
  if (opName(node) == "aten::native_dropout" && node->outputs()[1]->hasUses()) {
    return "the operator returns its mask";
  }
  if (inputIndex(node, "batch_sizes")) {
    return "the recurrent operator reads packed sequences, whose rows are not items";
  }
  if (loopDepth(node) > kMaxLoops) {
    return kTooManyLoops;
  }
  if (!found.rate) {
    return "its drop rate is computed at run time";
  }
  if (*found.rate < 0.0 || *found.rate >= 1.0) {
    return fmt::format("its drop rate is {}", *found.rate);
  }
  if (found.op->in_place && isReadOutside(node, node->input(0))) {
    return "it writes to a value that is read outside its branch or loop";
  }
  return {};
}

void switchOff(Graph& graph, const Found& found) {
  const WithInsertPoint here(found.node);
  if (const auto train = inputIndex(found.node, "train")) {
    found.node->replaceInput(*train, graph.insertConstant(false));
  } else {
    found.node->replaceInput(found.rate_input, graph.insertConstant(0.0));
  }
}

void replaceByKeyed(Graph& graph, const Found& found, std::int64_t number) {
  Node* const node = found.node;
  if (hasKeyedVersion(opName(node))) {
    replaceWithKeyedVersion(graph, node, *found.rate, number);
    return;
  }
  const bool in_place = found.op->in_place;
  const bool writes_back = in_place && isSharedLater(graph, node);
  const WithInsertPoint here(node);
  Value* const rate = graph.insertConstant(*found.rate);
  Value* const x = node->input(0);
  Value* const masked =
      insertKeyedDropout(graph, x, rate, {number, found.op->feature, found.op->alpha});
  if (writes_back) {
    // Other values read the same memory.
    Value* const written = graph.insert(c10::aten::copy_, {x, masked});
    node->outputs()[0]->replaceAllUsesWith(written);
    node->destroy();
    return;
  }
  node->outputs()[0]->replaceAllUsesWith(masked);
  node->destroy();
  if (in_place) {
    // Later reads of x expect what the operator wrote to it.
    x->replaceAllUsesAfterNodeWith(masked->node(), masked);
  }
}

/// Whether keyed dropout is the same. With a rate known only at run time, or without the division
/// by the keep rate in a branch that only training takes or at a rate of training alone, the random
/// numbers themselves are keyed (keyTrainingRandomness): another part may scale by the mode.
bool isDropout(const torch::jit::Module& module, const RandomMask& mask) {
  return mask.drop_rate && *mask.drop_rate >= 0.0 && *mask.drop_rate < 1.0 &&
         loopDepth(mask.product) <= kMaxLoops &&
         (mask.is_scaled ||
          (!mask.is_off_in_inference && !runsOnlyInTraining(module, mask.product)));
}

/// x times a mask of ones and zeros: what is kept is not scaled, at whatever rate.
Value* insertUnscaledDepth(Graph& graph, Value* x, Value* rate, std::int64_t number) {
  Value* const ones = graph.insert(c10::aten::ones_like, {x});
  Value* const scaled = insertKeyedItemDropout(graph, ones, rate, number);
  return graph.insert(c10::aten::mul,
                      {x, graph.insert(c10::aten::gt, {scaled, graph.insertConstant(0.0)})});
}

/// Replaces stochastic depth by keyed dropout of whole items.
void replaceDepth(Graph& graph, const RandomMask& mask, std::int64_t number) {
  const WithInsertPoint here(mask.place);
  Value* const rate = graph.insertConstant(*mask.drop_rate);
  Value* x = mask.x;
  if (wouldShareWrites(graph, x, mask.product->output(), mask.place)) {
    // Without the noise, the result is x itself.
    x = graph.insert(c10::aten::clone, {x});
  }
  replaceRandomMask(mask, mask.is_scaled ? insertKeyedItemDropout(graph, x, rate, number)
                                         : insertUnscaledDepth(graph, x, rate, number));
}

/// Replaces a mask by keyed dropout of ones that have its shape, which need not be that of x.
void replaceMask(Graph& graph, const RandomMask& mask, std::int64_t number) {
  Value* x = mask.x;
  Node* place = mask.place;
  if (mask.drawing->isAfter(place)) {
    const WithInsertPoint before(place);
    x = graph.insert(c10::aten::clone, {x});
    place = mask.product;
  }
  const WithInsertPoint here(place);
  Value* const shape = insertShapeOfNumbers(graph, mask.drawing);
  Value* const ones =
      graph.insert(c10::aten::type_as, {graph.insert(c10::aten::ones_like, {shape}), x});
  Value* const rate = graph.insertConstant(*mask.drop_rate);
  Value* factor = insertKeyedDropout(graph, ones, rate, {.site = number});
  if (!mask.is_scaled) {
    factor = graph.insert(c10::aten::gt, {factor, graph.insertConstant(0.0)});
  }
  replaceRandomMask(mask, graph.insert(c10::aten::mul, {x, factor}));
}

/// Lists a random mask and replaces it by keyed dropout.
DropoutSite listMask(Graph& graph, const torch::jit::Module& module, const RandomMask& mask,
                     std::int64_t number) {
  DropoutSite site;
  site.site = number;
  site.op = mask.is_per_item ? "stochastic depth" : "dropout by a mask";
  const std::string path = modulePath(mask.product);
  site.name = path.empty() ? "functional" : path;
  site.drop_rate = *mask.drop_rate;
  site.place = placeOf(mask.product->output());
  site.mode = mask.is_off_in_inference || runsOnlyInTraining(module, mask.product)
                  ? "follows training"
                  : "always on";
  if (mask.is_per_item) {
    replaceDepth(graph, mask, number);
  } else {
    replaceMask(graph, mask, number);
  }
  return site;
}

/// Lists a node that drops units at rates of their own and replaces it by keyed dropout.
DropoutSite replaceUnits(Graph& graph, const torch::jit::Module& module, const UnitDropout& units,
                         std::int64_t number) {
  DropoutSite site;
  site.site = number;
  site.op = units.is_feature ? "feature dropout per channel" : "dropout per unit";
  const std::string path = modulePath(units.product);
  site.name = path.empty() ? "functional" : path;
  site.unit_rates = units.rates;
  site.drop_rate = std::accumulate(units.rates.begin(), units.rates.end(), 0.0) /
                   std::max(1.0, static_cast<double>(units.rates.size()));
  site.place = placeOf(units.product->output());
  site.mode = runsOnlyInTraining(module, units.product) ? "follows training" : "always on";
  const auto outside =
      std::ranges::find_if(units.rates, [](double rate) { return !(rate >= 0.0 && rate < 1.0); });
  if (outside != units.rates.end()) {
    site.refused = fmt::format("the drop rate of a unit is {}", *outside);
  } else if (loopDepth(units.product) > kMaxLoops) {
    site.refused = kTooManyLoops;
  }
  const WithInsertPoint here(units.product);
  Value* const result = site.refused.empty()
                            ? insertKeyedUnitDropout(graph, units.x, units.drop_rates,
                                                     {.site = number, .feature = units.is_feature})
                            : units.x;
  units.product->output()->replaceAllUsesWith(result);
  units.product->destroy();
  return site;
}

bool readsTrainingFlag(Graph& graph) {
  bool reads = false;
  forEachNode(graph.block(), [&reads](const Node* node) {
    reads = reads || (node->outputs().size() == 1 && isTrainingFlag(node->output()));
  });
  return reads;
}

/// The function whose code contains the node, before calls were inlined.
const torch::jit::Function& functionOf(const torch::jit::Module& module, const Node* node) {
  if (const auto callstack = node->callstack()) {
    const auto entries = (*callstack)->vec();
    if (const torch::jit::Function* const function = std::get<0>(entries.back())) {
      return *function;
    }
  }
  return module.get_method("forward").function();
}

/// A trace in eval mode writes `train` = False everywhere, an author where dropout is to stay off.
/// Traced code is a method without calls of functions, branches, loops or training flags; where no
/// code reads the training flag, freezing may have written it.
bool isWrittenOff(const torch::jit::Module& module, const Node* node, bool reads_mode) {
  const std::shared_ptr<Graph> code = torch::jit::toGraphFunction(functionOf(module, node)).graph();
  const bool is_method =
      !code->inputs().empty() && code->inputs()[0]->type()->kind() == c10::TypeKind::ClassType;
  if (!is_method) {
    return true;
  }
  bool is_traced = !readsTrainingFlag(*code);
  forEachNode(code->block(), [&is_traced](const Node* inner) {
    is_traced = is_traced && inner->blocks().empty() && inner->kind() != c10::prim::CallFunction;
  });
  return reads_mode && !is_traced;
}

/// Attention and recurrent operators are sites only if they drop units.
bool isSite(const Found& found, const torch::jit::Module& module) {
  if (found.op != nullptr && std::string(found.op->rate_argument) == "p") {
    return true;
  }
  if (opName(found.node).find("backward") != std::string::npos) {
    return false;
  }
  const auto layers = inputIndex(found.node, "num_layers");
  if (layers && numberOf(resolveInMode(true, module, found.node->input(*layers))) == 1.0) {
    return false;
  }
  return !found.rate || *found.rate > 0.0;
}

}  // namespace

std::vector<DropoutSite> replaceDropout(Graph& graph, const torch::jit::Module& module,
                                        std::vector<std::string>& without_dropout) {
  std::vector<DropoutSite> sites;
  std::map<std::string, int> uses_of_name;
  const bool reads_mode = readsTrainingFlag(graph);
  const auto keepSite = [&](DropoutSite site) {
    if (const int use = ++uses_of_name[site.name]; use > 1) {
      site.name += fmt::format(" (use {})", use);
    }
    sites.push_back(std::move(site));
  };
  forEachNode(graph.block(), [&](Node* node) {
    if (const auto mask = randomMask(module, node)) {
      if (isDropout(module, *mask)) {
        keepSite(listMask(graph, module, *mask, static_cast<std::int64_t>(sites.size())));
      }
      return;
    }
    if (const auto units = unitDropout(module, node)) {
      keepSite(replaceUnits(graph, module, *units, static_cast<std::int64_t>(sites.size())));
      return;
    }
    const auto rate_input = rateInput(node);
    if (!rate_input) {
      return;
    }
    Found found{node, findDropoutOp(opName(node)), *rate_input, std::nullopt, std::nullopt};
    found.rate = numberOf(resolveInMode(true, module, node->input(*rate_input)));
    found.inference_rate = numberOf(resolveInMode(false, module, node->input(*rate_input)));
    if (!isSite(found, module)) {
      if (opName(node) == "aten::scaled_dot_product_attention") {
        without_dropout.push_back(opName(node));
      }
      return;
    }
    DropoutSite site = describe(found, module);
    site.site = static_cast<std::int64_t>(sites.size());
    site.refused = refusal(found);
    if (site.mode == "always off" && isWrittenOff(module, node, reads_mode)) {
      site.off = "the program itself switches it off";
    }
    if (site.refused.empty()) {
      replaceByKeyed(graph, found, site.site);
    } else {
      switchOff(graph, found);
    }
    keepSite(std::move(site));
  });
  return sites;
}

}  // namespace dubito
