// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/kernels/torch/keyed_dropout_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kSeed = 5;
constexpr std::int64_t kSite = 3;

at::Tensor range(std::int64_t count) {
  return at::arange(count, at::kLong);
}
at::Tensor draws(std::int64_t count) {
  return at::full({count}, 2, at::kLong);
}

/// What our operator `name` returns; the key follows `arguments`.
std::vector<c10::IValue> call(const char* name, std::vector<c10::IValue> arguments,
                              std::int64_t items, std::int64_t execution = 0) {
  registerKeyedDropout();
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
  for (const c10::IValue& key :
       {c10::IValue(kSeed), c10::IValue(range(items)), c10::IValue(draws(items)),
        c10::IValue(kSite), c10::IValue(execution)}) {
    arguments.push_back(key);
  }
  op.callBoxed(arguments);
  return arguments;
}

/// 0 or 1 / (1 - rate) for each element, in double.
at::Tensor factors(at::IntArrayRef shape, double rate, const KeyedDropoutForm& form = {}) {
  const std::int64_t items = shape[static_cast<std::size_t>(form.item_axis)];
  return keyedDropout(at::ones(shape), rate, kSeed, range(items), draws(items), kSite, form)
      .to(at::kDouble);
}

struct Attention {
  at::Tensor query, key, value;
  c10::IValue mask;
  bool causal = false;
  c10::IValue scale;
  bool grouped = false;
};

std::vector<Attention> attentions() {
  at::manual_seed(7);
  const auto made = [](at::IntArrayRef shape) { return at::randn(shape); };
  const at::Tensor visible = at::ones({6, 5}, at::kBool).tril(1);
  return {
      {made({3, 2, 6, 4}), made({3, 2, 5, 4}), made({3, 2, 5, 7}), {}, false, {}, false},
      {made({3, 6, 4}), made({3, 5, 4}), made({3, 5, 4}), visible, false, 0.3, false},
      {made({3, 2, 6, 4}), made({3, 2, 5, 4}), made({3, 2, 5, 4}), made({6, 5}), false, {}, false},
      {made({3, 4, 6, 4}), made({3, 2, 6, 4}), made({3, 2, 6, 4}), {}, true, {}, true},
  };
}

TEST(KeyedAttention, EqualsTheFormulaInDouble) {
  constexpr double kRate = 0.3;
  for (const Attention& a : attentions()) {
    const at::Tensor y =
        call("dubito::keyed_attention",
             {a.query, a.key, a.value, a.mask, kRate, a.causal, a.scale, a.grouped}, 3)
            .at(0)
            .toTensor();
    const auto wide = [&](const at::Tensor& x) {
      const at::Tensor repeated =
          a.grouped ? x.repeat_interleave(a.query.size(1) / x.size(1), 1) : x;
      return repeated.to(at::kDouble);
    };
    const double scale = a.scale.isDouble()
                             ? a.scale.toDouble()
                             : 1.0 / std::sqrt(static_cast<double>(a.query.size(-1)));
    at::Tensor scores = at::matmul(a.query.to(at::kDouble), wide(a.key).transpose(-1, -2)) * scale;
    if (a.causal) {
      scores = scores.masked_fill(at::ones({6, 6}, at::kBool).triu(1), -INFINITY);
    } else if (a.mask.isTensor()) {
      const at::Tensor mask = a.mask.toTensor();
      scores = mask.scalar_type() == at::kBool ? scores.masked_fill(mask.logical_not(), -INFINITY)
                                               : scores + mask.to(at::kDouble);
    }
    const at::Tensor weights = at::softmax(scores, -1);
    const at::Tensor expected =
        at::matmul(weights * factors(weights.sizes(), kRate), wide(a.value));
    EXPECT_TRUE(at::allclose(y.to(at::kDouble), expected, 1e-5, 1e-6))
        << "query " << a.query.sizes() << ": " << (y - expected).abs().max().item<double>();
  }
}

TEST(KeyedAttention, IsTorchsOwnWithoutDropout) {
  for (const Attention& a : attentions()) {
    const at::Tensor y =
        call("dubito::keyed_attention",
             {a.query, a.key, a.value, a.mask, 0.0, a.causal, a.scale, a.grouped}, 3)
            .at(0)
            .toTensor();
    const std::optional<double> scale =
        a.scale.isDouble() ? std::optional<double>(a.scale.toDouble()) : std::nullopt;
    const std::optional<at::Tensor> mask =
        a.mask.isTensor() ? std::optional<at::Tensor>(a.mask.toTensor()) : std::nullopt;
    EXPECT_TRUE(y.equal(at::scaled_dot_product_attention(a.query, a.key, a.value, mask, 0.0,
                                                         a.causal, scale, a.grouped)));
  }
}

/// Weights and biases of a recurrent layer for every direction.
std::vector<at::Tensor> layerParams(std::int64_t gates, std::int64_t input, std::int64_t hidden,
                                    std::int64_t directions) {
  std::vector<at::Tensor> params;
  for (std::int64_t d = 0; d < directions; ++d) {
    params.push_back(at::randn({gates * hidden, input}) * 0.4);
    params.push_back(at::randn({gates * hidden, hidden}) * 0.4);
    params.push_back(at::randn({gates * hidden}) * 0.4);
    params.push_back(at::randn({gates * hidden}) * 0.4);
  }
  return params;
}

/// One direction of one LSTM layer, gate by gate: `x` [T, N, F] in double.
at::Tensor lstmByHand(const at::Tensor& x, const std::vector<at::Tensor>& p, at::Tensor h,
                      at::Tensor c, bool backwards) {
  std::vector<at::Tensor> outputs(static_cast<std::size_t>(x.size(0)));
  for (std::int64_t step = 0; step < x.size(0); ++step) {
    const std::int64_t t = backwards ? x.size(0) - 1 - step : step;
    const auto gates =
        (at::matmul(x[t], p[0].t()) + p[2] + at::matmul(h, p[1].t()) + p[3]).chunk(4, 1);
    c = at::sigmoid(gates[1]) * c + at::sigmoid(gates[0]) * at::tanh(gates[2]);
    h = at::sigmoid(gates[3]) * at::tanh(c);
    outputs[static_cast<std::size_t>(t)] = h;
  }
  return at::stack(outputs, 0);
}

TEST(KeyedLstm, EqualsTheFormulaInDouble) {
  constexpr double kRate = 0.4;
  constexpr std::int64_t kHidden = 3;
  constexpr std::int64_t kExecution = 2;
  at::manual_seed(8);
  for (const bool batch_first : {false, true}) {
    const at::Tensor x = at::randn({7, 4, 5});  // [T, N, F]
    const at::Tensor h0 = at::randn({6, 4, kHidden});
    const at::Tensor c0 = at::randn({6, 4, kHidden});
    std::vector<at::Tensor> params;
    at::Tensor expected = x.to(at::kDouble);
    for (std::int64_t layer = 0; layer < 3; ++layer) {
      std::vector<at::Tensor> both;
      for (std::int64_t d = 0; d < 2; ++d) {
        std::vector<at::Tensor> wide;
        for (const at::Tensor& p : layerParams(4, layer == 0 ? 5 : 2 * kHidden, kHidden, 1)) {
          params.push_back(p);
          wide.push_back(p.to(at::kDouble));
        }
        both.push_back(lstmByHand(expected, wide, h0[2 * layer + d].to(at::kDouble),
                                  c0[2 * layer + d].to(at::kDouble), d == 1));
      }
      expected = at::cat(both, 2);
      if (layer < 2) {
        expected = expected * factors({7, 4, 2 * kHidden}, kRate,
                                      {.item_axis = 1, .execution = 2 * kExecution + layer});
      }
    }
    const auto results =
        call("dubito::keyed_lstm",
             {batch_first ? x.transpose(0, 1).contiguous() : x, std::vector<at::Tensor>{h0, c0},
              params, true, std::int64_t{3}, kRate, true, batch_first},
             4, kExecution);
    at::Tensor y = results.at(0).toTensor();
    y = batch_first ? y.transpose(0, 1) : y;
    EXPECT_TRUE(at::allclose(y.to(at::kDouble), expected, 1e-5, 1e-6));
    // The last states are the first or last outputs of each direction.
    EXPECT_TRUE(results.at(1).toTensor()[4].equal(y[6].slice(1, 0, kHidden)));
    EXPECT_TRUE(results.at(1).toTensor()[5].equal(y[0].slice(1, kHidden, 2 * kHidden)));
    EXPECT_EQ(results.at(2).toTensor().sizes(), c0.sizes());
  }
}

TEST(KeyedRnn, ChainsLayersThroughKeyedDropout) {
  constexpr double kRate = 0.4;
  at::manual_seed(9);
  const at::Tensor x = at::randn({4, 7, 5});
  const at::Tensor h0 = at::randn({2, 4, 3});
  for (const auto& [name, gates] : {std::pair{"gru", 3}, {"rnn_tanh", 1}, {"rnn_relu", 1}}) {
    std::vector<at::Tensor> first = layerParams(gates, 5, 3, 1);
    const std::vector<at::Tensor> second = layerParams(gates, 3, 3, 1);
    const auto one = [name = std::string(name)](const at::Tensor& input, const at::Tensor& h,
                                                const std::vector<at::Tensor>& params) {
      return name == "gru" ? at::gru(input, h, params, true, 1, 0.0, false, false, true)
             : name == "rnn_tanh"
                 ? at::rnn_tanh(input, h, params, true, 1, 0.0, false, false, true)
                 : at::rnn_relu(input, h, params, true, 1, 0.0, false, false, true);
    };
    const auto [between, h1] = one(x, h0.narrow(0, 0, 1), first);
    const at::Tensor dropped =
        keyedDropout(between, kRate, kSeed, range(4), draws(4), kSite, {.execution = 0});
    const auto [expected, h2] = one(dropped, h0.narrow(0, 1, 1), second);
    std::vector<at::Tensor> params = first;
    params.insert(params.end(), second.begin(), second.end());
    const std::string op = std::string("dubito::keyed_") + name;
    const auto keyed = [&](double rate) {
      return call(op.c_str(), {x, h0, params, true, std::int64_t{2}, rate, false, true}, 4);
    };
    const auto results = keyed(kRate);
    EXPECT_TRUE(results.at(0).toTensor().equal(expected)) << name;
    EXPECT_TRUE(results.at(1).toTensor().equal(at::cat({h1, h2}, 0))) << name;
    EXPECT_FALSE(keyed(0.0).at(0).toTensor().equal(expected)) << name;
  }
}

TEST(NthExecution, CountsIterationsOfNestedLoops) {
  registerKeyedDropout();
  const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("dubito::nth_execution", "");
  const auto nth = [&op](std::int64_t outer, std::int64_t trip) {
    torch::jit::Stack stack = {outer, trip};
    op.callBoxed(stack);
    return stack.at(0).toInt();
  };
  EXPECT_EQ(nth(0, 0), 0);
  EXPECT_EQ(nth(0, 65535), 65535);
  EXPECT_EQ(nth(1, 0), 65536);
  EXPECT_THROW((void)nth(0, 65536), c10::Error);
  EXPECT_THROW((void)nth(32768, 0), c10::Error);
}

}  // namespace
}  // namespace dubito
