// SPDX-License-Identifier: GPL-3.0-or-later
// Scaled dot-product attention, of ONNX and as onnxruntime's optimisation writes it.
#include <fmt/format.h>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

constexpr std::int64_t kMaxHeads = 1 << 16;

/// [items, length, heads * size] as [items, heads, length, size].
std::string headsOf(Node& node, const std::string& x, std::int64_t heads) {
  return node.source().assign(fmt::format(
      "{0}.reshape([{0}.size(0), {0}.size(1), {1}, -1]).permute([0, 2, 1, 3])", x, heads));
}

/// The reverse.
std::string withoutHeads(const std::string& x) {
  return x + ".permute([0, 2, 1, 3]).flatten(2)";
}

std::int64_t headCount(const Node& node, std::string_view name) {
  const std::int64_t heads = node.integer(name, 0);
  if (heads < 1 || heads > kMaxHeads) {
    node.refuseNode(fmt::format("{} heads", heads));
  }
  return heads;
}

/// How much the scores are multiplied with, as text; 0: by 1 / sqrt(size of a head).
std::string scaleText(const Node& node) {
  return numberText(node.number("scale", 0.0));
}

/// Queries, keys and values [items, heads, length, size] in the program.
struct Heads {
  std::string queries;
  std::string keys;
  std::string values;
};

struct Attending {
  std::string mask = "None";  ///< added to the scores; of truth values: which keys take part
  bool is_causal = false;
  std::string offset = "0";  ///< position of the first query among the keys
  double softcap = 0.0;
  std::int64_t shown = 0;  ///< which step the second result is of
  std::string softmax_type = "-1";
};

/// The attended values and the scores of the step that is shown.
std::vector<std::string> attend(Node& node, const Heads& heads, const Attending& options) {
  const std::string bias =
      options.mask == "None" && !options.is_causal
          ? std::string("None")
          : node.source().assign(fmt::format(
                "{}({}, {}, {}, {}, {})", node.source().helper("attention_bias"), heads.queries,
                heads.keys, options.mask, boolText(options.is_causal), options.offset));
  return node.source().assignSeveral(
      2, fmt::format("{}({}, {}, {}, {}, {}, {}, {}, {})", node.source().helper("attend"),
                     heads.queries, heads.keys, heads.values, bias, scaleText(node),
                     numberText(options.softcap), options.shown, options.softmax_type));
}

/// Inputs: queries, keys, values, mask, past keys, past values; of four axes, or of three with the
/// heads in the last one.
void attention(Node& node) {
  if (node.hasInput(6)) {
    node.refuse(
        "states how many keys of each item take part, which is not supported; export it with "
        "opset 23 and a mask");
  }
  if (node.integer("left_window_size", -1) >= 0 || node.integer("right_window_size", -1) >= 0) {
    node.refuse("attends within a window, which is not supported; export it with a mask");
  }
  const bool has_heads = node.knownRank(0) == 4;
  const auto input = [&](std::size_t i, std::string_view count) {
    return has_heads ? node.tensor(i) : headsOf(node, node.tensor(i), headCount(node, count));
  };
  Heads heads;
  heads.queries = input(0, "q_num_heads");
  heads.keys = input(1, "kv_num_heads");
  heads.values = input(2, "kv_num_heads");
  Attending options;
  if (node.hasInput(4)) {
    const std::string past = node.tensor(4);
    heads.keys = node.source().assign(fmt::format("torch.cat([{}, {}], 2)", past, heads.keys));
    heads.values =
        node.source().assign(fmt::format("torch.cat([{}, {}], 2)", node.tensor(5), heads.values));
    options.offset = past + ".size(2)";
  }
  node.setVariable(1, heads.keys, node.type(1), unknownSizes(4));
  node.setVariable(2, heads.values, node.type(2), unknownSizes(4));
  options.mask = node.tensorOr(3, "None");
  options.is_causal = node.flag("is_causal", false);
  options.softcap = node.number("softcap", 0.0);
  options.shown = node.integer("qk_matmul_output_mode", 0);
  if (const OnnxAttribute* const stated = node.attribute("softmax_precision")) {
    const auto type = torchTypeOf(static_cast<OnnxType>(stated->integer.value_or(0)));
    options.softmax_type = std::to_string(static_cast<int>(type));
  }
  const auto results = attend(node, heads, options);
  node.setVariable(3, results[1], node.type(0), unknownSizes(4));
  if (has_heads) {
    OnnxShape shape = *node.shape(0);
    shape[3] = node.input(2).rank() == 4 ? (*node.shape(2))[3] : kUnknownSize;
    node.setVariable(0, results[0], node.type(0), shape);
    return;
  }
  OnnxShape shape = *node.shape(0);
  shape[2] = kUnknownSize;
  node.set(0, withoutHeads(results[0]), node.type(0), shape);
}

/// Refuses inputs that only language models have.
void refuseInputs(const Node& node, std::initializer_list<std::size_t> positions) {
  for (const std::size_t i : positions) {
    if (node.hasInput(i)) {
      node.refuse(fmt::format(
          "has a mask of keys or earlier keys (input {}), which is not supported; save the network "
          "without optimisation",
          i));
    }
  }
  if (node.hasResult(1)) {
    node.refuse("returns its keys and values; save the network without optimisation");
  }
}

/// Splits the last axis into queries, keys and values.
Heads splitHeads(Node& node, const std::string& x, const std::string& sizes, std::int64_t heads) {
  const auto parts = node.source().assignSeveral(
      3, sizes.empty() ? fmt::format("torch.chunk({}, 3, -1)", x)
                       : fmt::format("torch.split_with_sizes({}, {}, -1)", x, sizes));
  return {headsOf(node, parts[0], heads), headsOf(node, parts[1], heads),
          headsOf(node, parts[2], heads)};
}

/// A layer for queries, keys and values together, and attention. Inputs: x [items, length, size],
/// weight, bias, mask, past, and what is added to the scores.
void fusedAttention(Node& node) {
  refuseInputs(node, {3, 4, 6});
  if (node.flag("do_rotary", false)) {
    node.refuse("rotates its queries and keys; save the network without optimisation");
  }
  const std::int64_t heads = headCount(node, "num_heads");
  const OnnxValue product = node.part("MatMul", {&node.input(0), &node.input(1)});
  const OnnxValue x = node.hasInput(2) ? node.part("Add", {&product, &node.input(2)}) : product;
  std::string sizes;
  if (const auto stated = node.integers("qkv_hidden_sizes"); stated && !stated->empty()) {
    if (stated->size() != 3) {
      node.refuseNode("qkv_hidden_sizes are not 3 numbers");
    }
    sizes = listText(*stated);
  }
  const Heads parts = splitHeads(node, x.variable, sizes, heads);
  Attending options;
  options.mask = node.tensorOr(5, "None");
  options.is_causal = node.flag("unidirectional", false);
  const auto results = attend(node, parts, options);
  node.set(0, withoutHeads(results[0]), node.type(0), unknownSizes(3));
}

/// Inputs: queries, keys, values, bias of the three, mask, and what is added to the scores.
void multiHeadAttention(Node& node) {
  refuseInputs(node, {4, 6, 7, 8, 9});
  const std::int64_t heads = headCount(node, "num_heads");
  if (!node.hasInput(1) || !node.hasInput(2) || node.knownRank(0) != 3 || node.knownRank(1) != 3 ||
      node.knownRank(2) != 3) {
    node.refuse(
        "has keys and values that are packed or were computed before, which is not supported; "
        "save the network without optimisation");
  }
  std::vector<std::string> inputs = {node.tensor(0), node.tensor(1), node.tensor(2)};
  if (node.hasInput(3)) {
    const auto biases = node.source().assignSeveral(
        3, fmt::format("{}({}, {}, {})", node.source().helper("split_bias"), node.tensor(3, "bias"),
                       inputs[0], inputs[1]));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i] = node.source().assign(fmt::format("torch.add({}, {})", inputs[i], biases[i]));
    }
  }
  Attending options;
  options.mask = node.tensorOr(5, "None");
  options.is_causal = node.flag("unidirectional", false);
  const auto results = attend(node,
                              {headsOf(node, inputs[0], heads), headsOf(node, inputs[1], heads),
                               headsOf(node, inputs[2], heads)},
                              options);
  node.set(0, withoutHeads(results[0]), node.type(0), unknownSizes(3));
}

/// Rotates pairs of elements of each head by angles that depend on the position. Inputs: x,
/// cosines, sines, positions.
void rotaryEmbedding(Node& node) {
  const bool has_heads = node.knownRank(0) == 4;
  const std::string x =
      has_heads ? node.tensor(0) : headsOf(node, node.tensor(0), headCount(node, "num_heads"));
  const auto cached = [&](std::size_t i) {
    const std::string table = node.tensor(i);
    return node.hasInput(3)
               ? node.source().assign(fmt::format("torch.embedding({}, {})", table, node.tensor(3)))
               : table;
  };
  const std::string cosines = cached(1);
  const std::string sines = cached(2);
  const std::string rotated = node.source().assign(fmt::format(
      "{}({}, {}, {}, {}, {})", node.source().helper("rotate_pairs"), x, cosines, sines,
      node.integer("rotary_embedding_dim", 0), boolText(node.flag("interleaved", false))));
  node.setLikeInput(has_heads ? rotated : withoutHeads(rotated));
}

constexpr OnnxOperator kOperators[] = {
    {"Attention", attention},
    {"RotaryEmbedding", rotaryEmbedding},
    {"Attention", fusedAttention, kMicrosoftDomain},
    {"MultiHeadAttention", multiHeadAttention, kMicrosoftDomain},
};

}  // namespace

std::span<const OnnxOperator> attentionOperators() {
  return kOperators;
}

}  // namespace dubito
