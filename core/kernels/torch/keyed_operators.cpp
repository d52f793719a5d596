// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rnn_relu.h>
#include <ATen/ops/rnn_tanh.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/kernels/torch/keyed_random_torch.h"
#include "core/kernels/torch/sparse_convolution_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxTrips = std::int64_t{1} << 16;
constexpr std::int64_t kMaxOuterTrips = std::int64_t{1} << 15;

at::Tensor keyedDropoutOperator(const at::Tensor& x, double drop_rate, std::int64_t seed,
                                const at::Tensor& items, const at::Tensor& draws, std::int64_t site,
                                std::int64_t execution, bool feature, bool alpha,
                                std::int64_t item_axis) {
  return keyedDropout(x, drop_rate, seed, items, draws, site,
                      {feature, alpha, item_axis, execution});
}

at::Tensor keyedUnitDropoutOperator(const at::Tensor& x, const at::Tensor& drop_rates,
                                    std::int64_t seed, const at::Tensor& items,
                                    const at::Tensor& draws, std::int64_t site,
                                    std::int64_t execution, bool feature, std::int64_t item_axis) {
  return keyedUnitDropout(x, drop_rates, seed, items, draws, site,
                          {.feature = feature, .item_axis = item_axis, .execution = execution});
}

at::Tensor keyedItemDropout(const at::Tensor& x, double drop_rate, std::int64_t seed,
                            const at::Tensor& items, const at::Tensor& draws, std::int64_t site,
                            std::int64_t execution) {
  TORCH_CHECK(x.dim() >= 1, "keyed item dropout: the input has no item axis");
  const std::int64_t rows = x.size(0);
  const at::Tensor flat = x.reshape({rows, 1, rows == 0 ? 0 : x.numel() / rows});
  return keyedDropout(flat, drop_rate, seed, items, draws, site,
                      {.feature = true, .execution = execution})
      .reshape(x.sizes());
}

std::int64_t nthExecution(std::int64_t outer, std::int64_t trip) {
  TORCH_CHECK(outer < kMaxOuterTrips && trip < kMaxTrips,
              "keyed dropout: a dropout inside nested loops runs too often");
  return outer * kMaxTrips + trip;
}

at::Tensor keyedAttention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                          const std::optional<at::Tensor>& attn_mask, double drop_rate,
                          bool is_causal, std::optional<double> scale, bool enable_gqa,
                          std::int64_t seed, const at::Tensor& items, const at::Tensor& draws,
                          std::int64_t site, std::int64_t execution) {
  if (drop_rate == 0.0) {
    return at::scaled_dot_product_attention(query, key, value, attn_mask, 0.0, is_causal, scale,
                                            enable_gqa);
  }
  TORCH_CHECK(query.dim() >= 3, "keyed attention: the query has no item axis");
  // Torch's reference attention returns its weights; with values of width 0 it computes nothing
  // else. It adds the mask, so a mask of visible keys is converted first.
  std::optional<at::Tensor> added_mask = attn_mask;
  if (attn_mask && attn_mask->scalar_type() == at::kBool) {
    constexpr double kMasked = -std::numeric_limits<double>::infinity();
    added_mask = at::zeros(attn_mask->sizes(), query.options())
                     .masked_fill(attn_mask->logical_not(), kMasked);
  }
  const at::Tensor weights = std::get<1>(
      at::_scaled_dot_product_attention_math(query, key, value.narrow(-1, 0, 0), added_mask, 0.0,
                                             is_causal, std::nullopt, scale, enable_gqa));
  const at::Tensor dropped =
      keyedDropout(weights, drop_rate, seed, items, draws, site, {.execution = execution});
  const bool grouped = enable_gqa && query.size(-3) != value.size(-3);
  return at::matmul(dropped,
                    grouped ? value.repeat_interleave(query.size(-3) / value.size(-3), -3) : value);
}

/// Arguments common to the recurrent operators.
struct Recurrent {
  bool has_biases = true;
  std::int64_t num_layers = 1;
  double drop_rate = 0.0;
  bool bidirectional = false;
  bool batch_first = false;
  std::int64_t seed = 0;
  at::Tensor items;
  at::Tensor draws;
  std::int64_t site = 0;
  std::int64_t execution = 0;

  [[nodiscard]] std::int64_t directions() const { return bidirectional ? 2 : 1; }
  /// The initial or final states of one layer.
  [[nodiscard]] at::Tensor statesOf(std::int64_t layer, const at::Tensor& states) const {
    return states.narrow(0, layer * directions(), directions());
  }
  [[nodiscard]] at::TensorList paramsOf(std::int64_t layer, at::TensorList params) const {
    const std::size_t count = params.size() / static_cast<std::size_t>(num_layers);
    return params.slice(count * static_cast<std::size_t>(layer), count);
  }
  /// The output of `layer` after dropout; the last layer's is unchanged.
  [[nodiscard]] at::Tensor dropped(std::int64_t layer, const at::Tensor& output) const {
    if (layer + 1 == num_layers) {
      return output;
    }
    return keyedDropout(
        output, drop_rate, seed, items, draws, site,
        {.item_axis = batch_first ? 0 : 1, .execution = execution * (num_layers - 1) + layer});
  }
};

using States = std::tuple<at::Tensor, at::Tensor>;

std::tuple<at::Tensor, at::Tensor, at::Tensor> keyedLstm(const at::Tensor& input, at::TensorList hx,
                                                         at::TensorList params, bool has_biases,
                                                         std::int64_t num_layers, double drop_rate,
                                                         bool bidirectional, bool batch_first,
                                                         std::int64_t seed, const at::Tensor& items,
                                                         const at::Tensor& draws, std::int64_t site,
                                                         std::int64_t execution) {
  if (drop_rate == 0.0 || num_layers == 1) {
    return at::lstm(input, hx, params, has_biases, num_layers, 0.0, false, bidirectional,
                    batch_first);
  }
  const Recurrent net{has_biases, num_layers, drop_rate, bidirectional, batch_first,
                      seed,       items,      draws,     site,          execution};
  at::Tensor x = input;
  std::vector<at::Tensor> hidden;
  std::vector<at::Tensor> cells;
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    const std::array<at::Tensor, 2> states = {net.statesOf(layer, hx[0]),
                                              net.statesOf(layer, hx[1])};
    const auto [output, h, c] = at::lstm(x, states, net.paramsOf(layer, params), has_biases, 1, 0.0,
                                         false, bidirectional, batch_first);
    hidden.push_back(h);
    cells.push_back(c);
    x = net.dropped(layer, output);
  }
  return {x, at::cat(hidden, 0), at::cat(cells, 0)};
}

/// Recurrent operators with a single state; `kLayers` is aten's operator.
template <auto kLayers>
States keyedRnn(const at::Tensor& input, const at::Tensor& hx, at::TensorList params,
                bool has_biases, std::int64_t num_layers, double drop_rate, bool bidirectional,
                bool batch_first, std::int64_t seed, const at::Tensor& items,
                const at::Tensor& draws, std::int64_t site, std::int64_t execution) {
  if (drop_rate == 0.0 || num_layers == 1) {
    return kLayers(input, hx, params, has_biases, num_layers, 0.0, false, bidirectional,
                   batch_first);
  }
  const Recurrent net{has_biases, num_layers, drop_rate, bidirectional, batch_first,
                      seed,       items,      draws,     site,          execution};
  at::Tensor x = input;
  std::vector<at::Tensor> hidden;
  for (std::int64_t layer = 0; layer < num_layers; ++layer) {
    const auto [output, h] = kLayers(x, net.statesOf(layer, hx), net.paramsOf(layer, params),
                                     has_biases, 1, 0.0, false, bidirectional, batch_first);
    hidden.push_back(h);
    x = net.dropped(layer, output);
  }
  return {x, at::cat(hidden, 0)};
}

constexpr auto kGru = [](auto&&... arguments) { return at::gru(arguments...); };
constexpr auto kRnnTanh = [](auto&&... arguments) { return at::rnn_tanh(arguments...); };
constexpr auto kRnnRelu = [](auto&&... arguments) { return at::rnn_relu(arguments...); };

const std::string kKey = "int seed, Tensor items, Tensor draws, int site, int execution";

std::string recurrentSchema(const std::string& name, const std::string& states,
                            const std::string& results) {
  return name + "(Tensor input, " + states +
         " hx, Tensor[] params, bool has_biases, int num_layers, float drop_rate, bool "
         "bidirectional, bool batch_first, " +
         kKey + ") -> " + results;
}

/// All operators are composites for autograd: their gradient is that of what they call.
void defineOperators(torch::Library& library) {
  const auto add = [&library](const std::string& schema, auto* function) {
    library.def(schema.c_str());
    const std::string name = schema.substr(0, schema.find('('));
    library.impl(name.c_str(),
                 torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, function));
  };
  add("keyed_dropout(Tensor x, float drop_rate, " + kKey +
          ", bool feature, bool alpha, int item_axis) -> Tensor",
      &keyedDropoutOperator);
  add("keyed_unit_dropout(Tensor x, Tensor drop_rates, " + kKey +
          ", bool feature, int item_axis) -> Tensor",
      &keyedUnitDropoutOperator);
  add("keyed_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, float drop_rate, "
      "bool is_causal, float? scale, bool enable_gqa, " +
          kKey + ") -> Tensor",
      &keyedAttention);
  add(recurrentSchema("keyed_lstm", "Tensor[]", "(Tensor, Tensor, Tensor)"), &keyedLstm);
  add(recurrentSchema("keyed_gru", "Tensor", "(Tensor, Tensor)"), &keyedRnn<kGru>);
  add(recurrentSchema("keyed_rnn_tanh", "Tensor", "(Tensor, Tensor)"), &keyedRnn<kRnnTanh>);
  add(recurrentSchema("keyed_rnn_relu", "Tensor", "(Tensor, Tensor)"), &keyedRnn<kRnnRelu>);
  add("keyed_item_dropout(Tensor x, float drop_rate, " + kKey + ") -> Tensor", &keyedItemDropout);
  library.def("nth_execution(int outer, int trip) -> int");
  library.impl("nth_execution",
               torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, &nthExecution));
}

}  // namespace

void registerKeyedDropout() {
  // Static objects in a function, because the linker drops static initialisers from a static
  // library.
  static const bool registered = [] {
    static torch::Library library(torch::Library::DEF, "dubito", std::nullopt, __FILE__, __LINE__);
    defineOperators(library);
    defineKeyedRandom(library);
    defineSparseConvolution(library);
    return true;
  }();
  static_cast<void>(registered);
}

}  // namespace dubito
