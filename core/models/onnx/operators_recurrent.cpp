// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers.
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// A recurrent node: its weights, for each direction in the order of torch.
struct Recurrence {
  std::int64_t hidden = 0;
  std::int64_t directions = 1;
  bool is_reversed = false;     ///< the only direction is backwards
  bool is_batch_first = false;  ///< layout 1
  std::string weights;          ///< a list in the program
};

/// The gates of a weight [gates * hidden, ...] in another order: gate `order[i]` becomes gate i.
at::Tensor reordered(const at::Tensor& weight, const std::vector<std::int64_t>& order,
                     std::int64_t hidden) {
  std::vector<at::Tensor> gates;
  for (const std::int64_t gate : order) {
    gates.push_back(weight.slice(0, gate * hidden, (gate + 1) * hidden));
  }
  return at::cat(gates).contiguous();
}

void checkActivations(const Node& node, std::initializer_list<std::string_view> expected) {
  const OnnxAttribute* const stated = node.attribute("activations");
  if (stated == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < stated->texts.size(); ++i) {
    if (stated->texts[i] != expected.begin()[i % expected.size()]) {
      node.refuse("has other activation functions than the usual ones, which is not supported");
    }
  }
}

Recurrence recurrenceOf(Node& node, const std::vector<std::int64_t>& order) {
  Recurrence layer;
  const std::string_view direction =
      node.choice("direction", "forward", {"forward", "reverse", "bidirectional"});
  layer.directions = direction == "bidirectional" ? 2 : 1;
  layer.is_reversed = direction == "reverse";
  layer.is_batch_first = node.flag("layout", false);
  if (node.hasInput(4)) {
    node.refuse(
        "has sequences of different lengths, which is not supported; export it without "
        "sequence_lens");
  }
  if (node.attribute("clip") != nullptr) {
    node.refuse("clips its values, which is not supported; export it without clip");
  }
  const at::Tensor w = node.neededConstant(1, "its weights");
  const at::Tensor r = node.neededConstant(2, "its weights");
  const auto gates = static_cast<std::int64_t>(order.size());
  if (w.dim() != 3 || r.dim() != 3 || r.size(1) != gates * r.size(2) || w.size(1) != r.size(1) ||
      w.size(0) != layer.directions || r.size(0) != layer.directions) {
    node.refuseNode("its weights do not fit together");
  }
  layer.hidden = r.size(2);
  at::Tensor bias = at::zeros({layer.directions, 2 * gates * layer.hidden}, w.options());
  if (node.hasInput(3)) {
    bias = node.neededConstant(3, "its bias");
    if (bias.dim() != 2 || bias.size(0) != layer.directions ||
        bias.size(1) != 2 * gates * layer.hidden) {
      node.refuseNode("its bias does not fit its weights");
    }
  }
  std::string list;
  const auto add = [&](std::string_view role, std::int64_t k, std::size_t input,
                       const at::Tensor& values) {
    const std::string name = fmt::format("{}{}", role, k == 0 ? "" : "_reverse");
    list += (list.empty() ? "" : ", ") + node.weight(input, name,
                                                     fmt::format("{} {}", node.node().name, name),
                                                     reordered(values, order, layer.hidden));
  };
  const std::size_t bias_input = node.hasInput(3) ? 3 : 2;
  for (std::int64_t k = 0; k < layer.directions; ++k) {
    const at::Tensor both = bias[k];
    const std::int64_t half = gates * layer.hidden;
    add("weight_ih_l0", k, 1, w[k]);
    add("weight_hh_l0", k, 2, r[k]);
    add("bias_ih_l0", k, bias_input, both.slice(0, 0, half));
    add("bias_hh_l0", k, bias_input, both.slice(0, half));
  }
  layer.weights = "[" + list + "]";
  return layer;
}

/// Sequences [steps, items, features], forwards.
std::string sequenceInput(Node& node, const Recurrence& layer) {
  std::string x = node.tensor(0);
  if (layer.is_batch_first) {
    x = node.source().assign(fmt::format("torch.transpose({}, 0, 1)", x));
  }
  if (layer.is_reversed) {
    x = node.source().assign(fmt::format("torch.flip({}, [0])", x));
  }
  return x;
}

/// An initial state [directions, items, hidden].
std::string initialState(Node& node, const Recurrence& layer, const std::string& x,
                         std::size_t input) {
  if (node.hasInput(input)) {
    std::string state = node.tensor(input);
    const std::size_t items = layer.is_batch_first ? 0 : 1;
    if (const auto& shape = node.shape(input);
        node.input(input).isConstant() && shape && shape->size() == 3) {
      // That of one item serves all items.
      if ((*shape)[items] == 1) {
        state = node.source().assign(
            layer.is_batch_first
                ? fmt::format("{}.expand([{}.size(1), -1, -1])", state, x)
                : fmt::format("{}.expand([-1, {}.size(1), -1]).contiguous()", state, x));
      } else {
        node.program().has_sizes_of_batch = true;
      }
    }
    return layer.is_batch_first
               ? node.source().assign(fmt::format("torch.transpose({}, 0, 1).contiguous()", state))
               : state;
  }
  return node.source().assign(fmt::format("torch.new_zeros({}, [{}, {}.size(1), {}])", x,
                                          layer.directions, x, layer.hidden));
}

/// Sets the results: all states, arranged as ONNX does, and the last states.
void setStates(Node& node, const Recurrence& layer, std::string all, const std::string& last,
               const std::string& last_cell) {
  const auto& x = node.shape(0);
  const std::int64_t steps =
      x && x->size() == 3 ? (*x)[layer.is_batch_first ? 1 : 0] : kUnknownSize;
  const std::int64_t items =
      x && x->size() == 3 ? (*x)[layer.is_batch_first ? 0 : 1] : kUnknownSize;
  if (layer.is_reversed) {
    all = node.source().assign(fmt::format("torch.flip({}, [0])", all));
  }
  const std::string four = node.source().assign(fmt::format(
      "{0}.reshape([{0}.size(0), {0}.size(1), {1}, {2}])", all, layer.directions, layer.hidden));
  const char* const order = layer.is_batch_first ? "[1, 0, 2, 3]" : "[0, 2, 1, 3]";
  node.set(0, fmt::format("{}.permute({})", four, order), node.type(0),
           layer.is_batch_first ? OnnxShape{items, steps, layer.directions, layer.hidden}
                                : OnnxShape{steps, layer.directions, items, layer.hidden});
  const OnnxShape state = layer.is_batch_first ? OnnxShape{items, layer.directions, layer.hidden}
                                               : OnnxShape{layer.directions, items, layer.hidden};
  const auto setState = [&](std::size_t i, const std::string& text) {
    if (text.empty() || i >= node.resultCount()) {
      return;
    }
    node.set(i,
             layer.is_batch_first ? fmt::format("torch.transpose({}, 0, 1)", text)
                                  : text + ".contiguous()",
             node.type(0), state);
  };
  setState(1, last);
  setState(2, last_cell);
}

/// "True, 1, 0.0, False, BIDIRECTIONAL, False": one layer with biases, without dropout.
std::string layerArguments(const Recurrence& layer) {
  return fmt::format("True, 1, 0.0, False, {}, False", boolText(layer.directions == 2));
}

void gru(Node& node) {
  checkActivations(node, {"Sigmoid", "Tanh"});
  // ONNX: update, reset, new; torch: reset, update, new.
  const Recurrence layer = recurrenceOf(node, {1, 0, 2});
  const std::string x = sequenceInput(node, layer);
  const std::string state = initialState(node, layer, x, 5);
  if (node.flag("linear_before_reset", false)) {
    const auto results = node.source().assignSeveral(
        2,
        fmt::format("torch.gru({}, {}, {}, {})", x, state, layer.weights, layerArguments(layer)));
    setStates(node, layer, results[0], results[1], "");
    return;
  }
  const auto results = node.source().assignSeveral(
      2, fmt::format("{}({}, {}, {}, {})", node.source().helper("gru_reset_before"), x, state,
                     layer.weights, layer.hidden));
  setStates(node, layer, results[0], results[1], "");
}

void lstm(Node& node) {
  checkActivations(node, {"Sigmoid", "Tanh", "Tanh"});
  if (node.flag("input_forget", false)) {
    node.refuse("couples input and forget gates, which is not supported");
  }
  // ONNX: input, output, forget, cell; torch: input, forget, cell, output.
  const Recurrence layer = recurrenceOf(node, {0, 2, 3, 1});
  const std::string x = sequenceInput(node, layer);
  const std::string state = initialState(node, layer, x, 5);
  const std::string cell = initialState(node, layer, x, 6);
  if (node.hasInput(7)) {
    const auto results = node.source().assignSeveral(
        3,
        fmt::format("{}({}, {}, {}, {}, {}, {})", node.source().helper("lstm_with_peepholes"), x,
                    state, cell, layer.weights, node.tensor(7, "weight_peephole"), layer.hidden));
    setStates(node, layer, results[0], results[1], results[2]);
    return;
  }
  const auto results =
      node.source().assignSeveral(3, fmt::format("torch.lstm({}, [{}, {}], {}, {})", x, state, cell,
                                                 layer.weights, layerArguments(layer)));
  setStates(node, layer, results[0], results[1], results[2]);
}

void rnn(Node& node) {
  const OnnxAttribute* const stated = node.attribute("activations");
  const bool is_relu =
      stated != nullptr && !stated->texts.empty() && stated->texts.front() == "Relu";
  checkActivations(node, {is_relu ? "Relu" : "Tanh"});
  const Recurrence layer = recurrenceOf(node, {0});
  const std::string x = sequenceInput(node, layer);
  const std::string state = initialState(node, layer, x, 5);
  const auto results = node.source().assignSeveral(
      2, fmt::format("torch.{}({}, {}, {}, {})", is_relu ? "rnn_relu" : "rnn_tanh", x, state,
                     layer.weights, layerArguments(layer)));
  setStates(node, layer, results[0], results[1], "");
}

constexpr OnnxOperator kOperators[] = {{"GRU", gru}, {"LSTM", lstm}, {"RNN", rnn}};

}  // namespace

std::span<const OnnxOperator> recurrentOperators() {
  return kOperators;
}

}  // namespace dubito
