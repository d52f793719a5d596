// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/ir/constants.h>

#include <mutex>
#include <set>

#include "core/models/keyed_sites_torch.h"
#include "core/models/model_torch.h"
#include "core/models/own_state_torch.h"
#include "core/models/random_numbers_torch.h"
#include "core/models/repeatability_torch.h"

namespace dubito {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// Whether a node's only result is its first input, as a view or after a write.
bool isView(const Node* node) {
  const c10::FunctionSchema* const schema = node->maybeSchema();
  return schema != nullptr && node->inputs().size() > 0 && schema->returns().size() == 1 &&
         schema->returns()[0].alias_info() != nullptr &&
         schema->arguments()[0].alias_info() != nullptr;
}

/// The name of the stored state that a value is or belongs to; empty for other values.
std::string stateBehind(const Value* value) {
  while (!attributePath(value) && isView(value->node())) {
    value = value->node()->input(0);
  }
  if (const auto path = attributePath(value)) {
    return *path;
  }
  const bool is_tensor = value->type()->kind() == c10::TypeKind::TensorType;
  return is_tensor && value->node()->kind() == c10::prim::Constant ? "a constant" : "";
}

/// The attribute that a node sets: "counter.calls"; empty for an object that the program makes in
/// the same call ("with torch.no_grad()").
std::string attributeSetBy(const Node* node) {
  const Value* object = node->input(0);
  while (object->node()->kind() == c10::prim::GetAttr) {
    object = object->node()->input(0);
  }
  if (object->node()->kind() == c10::prim::CreateObject) {
    return {};
  }
  const auto owner = attributePath(node->input(0));
  return (owner ? *owner + "." : "") + node->s(c10::attr::name);
}

}  // namespace

std::vector<std::string> randomOps(Graph& graph) {
  std::set<std::string> found;
  forEachNode(graph.block(), [&found](const Node* node) {
    if (drawsNumbers(node)) {
      found.insert(opName(node));
    }
  });
  return {found.begin(), found.end()};
}

bool drawsByKeyOnly(const PreparedNetwork& network) {
  const std::shared_ptr<Graph> graph = network.graph->copy();
  takeDrawingBranches(*graph);
  return network.hidden_code.empty() && randomOps(*graph).empty();
}

std::vector<std::string> writtenState(Graph& graph) {
  return writtenState(graph.block());
}

std::vector<std::string> writtenState(torch::jit::Block* block) {
  std::set<std::string> found;
  forEachNode(block, [&found](const Node* node) {
    if (node->kind() == c10::prim::SetAttr) {
      found.insert(attributeSetBy(node));
      return;
    }
    const c10::FunctionSchema* const schema = node->maybeSchema();
    for (std::size_t i = 0; schema != nullptr && i < schema->arguments().size(); ++i) {
      const auto* const alias = schema->arguments()[i].alias_info();
      if (alias != nullptr && alias->isWrite() && i < node->inputs().size()) {
        found.insert(stateBehind(node->input(i)));
      }
    }
  });
  found.erase("");
  return {found.begin(), found.end()};
}

/// Replaces the numbers that `node` has drawn by its least or its largest possible ones. In place,
/// because they may have been written to a tensor that has another name.
void setToBound(Graph& graph, Node* node, bool least) {
  const torch::jit::WithInsertPoint after(node->next());
  if (!opName(node).starts_with("aten::bernoulli")) {
    constexpr double kLargestUniform = 1.0 - 0x1p-24;
    graph.insert(c10::Symbol::fromQualString("aten::fill_"),
                 {node->output(), least ? 0.0 : kLargestUniform});
    return;
  }
  // What has the probability 1 is always drawn.
  const auto by_number = inputIndex(node, "p");
  Value* const probability = node->input(by_number.value_or(0));
  Value* const bound = graph.insert(least ? c10::aten::floor : c10::aten::ceil, {probability});
  const bool is_tensor = probability->type()->isSubtypeOf(*c10::TensorType::get());
  graph.insert(c10::Symbol::fromQualString(is_tensor ? "aten::copy_" : "aten::fill_"),
               {node->output(), bound});
}

/// The graph with the least or the largest possible numbers of rand, uniform_ and bernoulli.
std::shared_ptr<Graph> withBounds(Graph& graph, bool least) {
  static const std::set<std::string> kBounded = {"aten::rand",      "aten::rand_like",
                                                 "aten::uniform_",  "aten::uniform",
                                                 "aten::bernoulli", "aten::bernoulli_"};
  std::shared_ptr<Graph> changed = graph.copy();
  std::vector<Node*> drawing;
  forEachNode(changed->block(), [&drawing](Node* node) {
    if (kBounded.contains(opName(node)) && drawsNumbers(node)) {
      drawing.push_back(node);
    }
  });
  for (Node* const node : drawing) {
    setToBound(*changed, node, least);
  }
  return changed;
}

std::string describe(const Repeatability& found, const PreparedNetwork& network) {
  const auto named = [](const std::vector<std::string>& names) {
    return names.empty() ? "in code that is not in its graph"
                         : fmt::format("{}", fmt::join(names, ", "));
  };
  std::string sentence;
  if (found.is_random) {
    sentence = fmt::format(
        "The network draws its own random numbers ({}), which do not depend on the seed: two "
        "passes over the same items differ (largest |dp| {:.2g})",
        named(network.random_ops), found.max_difference);
  }
  if (found.has_memory) {
    sentence += fmt::format(
        "{} state that changes from call to call ({}): results depend on earlier calls, and so on "
        "the order of items and the batch size (largest |dp| between two calls {:.2g})",
        sentence.empty() ? "The network keeps" : "; it also keeps", named(network.written_state),
        found.max_difference);
  }
  return sentence;
}

Repeatability checkRepeatability(const torch::jit::Module& module, const PreparedNetwork& network,
                                 GraphRunner& deterministic, const Probe& probe,
                                 OutputKind output) {
  Repeatability found;
  if (network.random_ops.empty() && network.written_state.empty() && network.hidden_code.empty()) {
    return found;
  }
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const auto stateOf = [&generator] {
    const std::scoped_lock lock(generator.mutex());
    return generator.get_state();
  };
  const auto setState = [&generator](const at::Tensor& state) {
    const std::scoped_lock lock(generator.mutex());
    generator.set_state(state);
  };
  const torch::jit::Module copy = withOwnState(module, *network.graph);
  const auto pass = [&] {
    const at::Tensor rows =
        deterministic.run(deterministicInputs(copy, probe.inputs)).at(0).toTensor();
    return comparedProbabilities(rows, probe, output);
  };
  const auto differ = [](const at::Tensor& a, const at::Tensor& b) {
    return !at::allclose(a, b, 0.0, 0.0, /*equal_nan=*/true);
  };
  const at::Tensor before = stateOf();
  const at::Tensor first = pass();
  const at::Tensor between = stateOf();
  found.drew_numbers = !at::equal(before, between);
  const at::Tensor second = pass();
  if (differ(first, second)) {
    found.max_difference = at::abs(first - second).max().item().toDouble();
    setState(between);
    const bool is_explained = found.drew_numbers && !differ(pass(), second);
    found.is_random = found.drew_numbers;
    found.has_memory = !is_explained;
  } else if (found.drew_numbers) {
    // Two draws of one number for the whole batch are often equal: compare the least numbers with
    // the largest.
    const auto passWith = [&](bool least) {
      GraphRunner runner(withBounds(*deterministic.graph(), least), "with bounds",
                         probe.items_per_pass);
      return comparedProbabilities(
          runner.run(deterministicInputs(copy, probe.inputs)).at(0).toTensor(), probe, output);
    };
    const auto compare = [&](const at::Tensor& a, const at::Tensor& b) {
      found.is_random = differ(a, b);
      found.max_difference = found.is_random ? at::abs(a - b).max().item().toDouble() : 0.0;
    };
    compare(passWith(true), passWith(false));
    // Other operators, such as randint, are drawn a few more times.
    constexpr int kFurtherPasses = 6;
    for (int i = 0; i < kFurtherPasses && !found.is_random; ++i) {
      compare(first, pass());
    }
  }
  setState(before);
  return found;
}

}  // namespace dubito
