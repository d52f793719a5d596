// SPDX-License-Identifier: GPL-3.0-or-later
// laplace_all_kron.json: a two-layer network and one with a convolution, in double.
#include <gtest/gtest.h>

#include "core/laplace/posterior/factors_torch.h"
#include "core/laplace/posterior/label_directions_torch.h"
#include "core/laplace/posterior/layer_covariance_torch.h"
#include "core/laplace/posterior/layer_sums_torch.h"
#include "tests/core/laplace/made_layers.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using test::tensorOf;
using test::tensorsClose;

constexpr double kTolerance = 1e-9;
constexpr double kNearZero = 1e-12;

/// A hidden layer, tanh and a linear layer, with the gradients written down by hand.
struct TwoLayers {
  at::Tensor inputs_1;     ///< [B, D, L]
  at::Tensor inputs_2;     ///< [B, D, 1]
  at::Tensor logits;       ///< [B, K]
  at::Tensor gradients_1;  ///< [K, B, O, L]
  at::Tensor gradients_2;  ///< [K, B, K, 1]
};

class AllLayers : public testing::Test {
 protected:
  AllLayers() : vectors_(test::readVectors("laplace_all_kron")) {
    w1_ = tensorOf(vectors_.at("w1"));
    b1_ = tensorOf(vectors_.at("b1"));
    w2_ = tensorOf(vectors_.at("w2"));
    b2_ = tensorOf(vectors_.at("b2"));
  }

  static TwoLayers finish(const at::Tensor& inputs, const at::Tensor& hidden, const at::Tensor& w2,
                          const at::Tensor& b2) {
    TwoLayers layers;
    layers.inputs_1 = inputs;
    const at::Tensor active = at::tanh(hidden);  // [B, O, L]
    layers.inputs_2 = active.flatten(1).unsqueeze(2);
    layers.logits = at::mm(active.flatten(1), w2.t()) + b2;
    const at::Tensor slope = (1.0 - active.square()).flatten(1).unsqueeze(0);  // [1, B, O L]
    layers.gradients_1 = (w2.unsqueeze(1) * slope)
                             .view({w2.size(0), hidden.size(0), hidden.size(1), hidden.size(2)});
    layers.gradients_2 =
        at::eye(w2.size(0), at::kDouble).unsqueeze(1).expand({-1, hidden.size(0), -1}).unsqueeze(3);
    return layers;
  }

  [[nodiscard]] TwoLayers through(const json& inputs) const {
    const at::Tensor x = tensorOf(inputs);
    return finish(x.unsqueeze(2), (at::mm(x, w1_.t()) + b1_).unsqueeze(2), w2_, b2_);
  }

  static TwoLayers throughConvolution(const json& conv) {
    const at::Tensor x = tensorOf(conv.at("inputs")).unsqueeze(1);
    const at::Tensor kernel = tensorOf(conv.at("kernel")).unsqueeze(1);
    const at::Tensor hidden = at::conv2d(x, kernel, tensorOf(conv.at("bias")));
    return finish(at::im2col(x, {2, 2}, {1, 1}, {0, 0}, {1, 1}), hidden.flatten(2),
                  tensorOf(conv.at("w2")), tensorOf(conv.at("b2")));
  }

  /// Gradients along the directions in place of those of the logits.
  static at::Tensor along(const at::Tensor& directions, const at::Tensor& gradients) {
    return at::einsum("cbk,kbol->cbol", {directions, gradients});
  }

  static LaplaceFactors factorsOf(const TwoLayers& layers, LaplaceStructure structure,
                                  const std::vector<at::Tensor>& parameters,
                                  const std::vector<std::int64_t>& labels, bool separate_bias,
                                  std::int64_t batch) {
    LayerSums first(structure, "1", parameters[0], parameters[1], separate_bias);
    LayerSums second(structure, "2", parameters[2], parameters[3], separate_bias);
    const at::Tensor log_probs = at::log_softmax(layers.logits, 1);
    const at::Tensor directions = labelDirections(log_probs.exp());
    const std::int64_t items = layers.logits.size(0);
    LaplaceFactors factors;
    for (std::int64_t begin = 0; begin < items; begin += batch) {
      const std::int64_t end = std::min(items, begin + batch);
      const auto add = [&](LayerSums& sums, const at::Tensor& inputs, const at::Tensor& gradients) {
        const at::Tensor rows = inputs.slice(0, begin, end);
        sums.addInputs(rows);
        const at::Tensor in_directions = along(directions, gradients).slice(1, begin, end);
        for (std::int64_t c = 0; c < in_directions.size(0); ++c) {
          sums.addGradients(rows, in_directions[c]);
        }
      };
      add(first, layers.inputs_1, layers.gradients_1);
      add(second, layers.inputs_2, layers.gradients_2);
      countItems(log_probs.slice(0, begin, end),
                 std::span(labels).subspan(static_cast<std::size_t>(begin),
                                           static_cast<std::size_t>(end - begin)),
                 factors);
    }
    factors.layers.push_back(std::move(first).finish(items));
    factors.layers.push_back(std::move(second).finish(items));
    return factors;
  }

  [[nodiscard]] LaplaceFactors fitted(LaplaceStructure structure, bool separate_bias = false,
                                      std::int64_t batch = 5) const {
    return factorsOf(through(vectors_.at("inputs")), structure, {w1_, b1_, w2_, b2_},
                     vectors_.at("labels").get<std::vector<std::int64_t>>(), separate_bias, batch);
  }

  json vectors_;
  at::Tensor w1_;
  at::Tensor b1_;
  at::Tensor w2_;
  at::Tensor b2_;
};

TEST_F(AllLayers, Factors) {
  const LaplaceFactors factors = fitted(LaplaceStructure::kKron);
  const json& expected = vectors_.at("factors");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i + 1);
    EXPECT_TRUE(tensorsClose(tensorView(factors.layers[i].input_products),
                             tensorOf(expected.at("A" + number)), kTolerance, kNearZero));
    EXPECT_TRUE(tensorsClose(tensorView(factors.layers[i].output_products),
                             tensorOf(expected.at("G" + number)), kTolerance, kNearZero));
  }
  EXPECT_TRUE(
      closeTo(factors.log_likelihood, vectors_.at("log_likelihood").get<double>(), kTolerance));
}

TEST_F(AllLayers, EvidenceAndPredictive) {
  const LaplaceScale scale{static_cast<double>(vectors_.at("n").get<std::int64_t>()),
                           vectors_.at("tau").get<double>()};
  const TwoLayers tested = through(vectors_.at("test_inputs"));
  for (const auto& [name, structure, separate_bias] :
       {std::tuple{"kron", LaplaceStructure::kKron, false},
        std::tuple{"kron_separate_bias", LaplaceStructure::kKron, true},
        std::tuple{"diag", LaplaceStructure::kDiagonal, false},
        std::tuple{"kron_damped", LaplaceStructure::kKronDamped, false}}) {
    SCOPED_TRACE(name);
    const auto posterior = makePosterior(fitted(structure, separate_bias), structure);
    ASSERT_OK(posterior);
    if (vectors_.at("evidence").contains(name)) {
      EXPECT_TRUE(closeTo(logEvidence(*posterior, scale),
                          vectors_.at("evidence").at(name).at("log_evidence").get<double>(),
                          kTolerance));
    }
    LayerCovariance first(posterior->layers[0], structure, at::kDouble);
    LayerCovariance second(posterior->layers[1], structure, at::kDouble);
    first.setScale(scale);
    second.setScale(scale);
    const at::Tensor covariance = first.of(tested.inputs_1, tested.gradients_1.transpose(0, 1)) +
                                  second.of(tested.inputs_2, tested.gradients_2.transpose(0, 1));
    EXPECT_TRUE(tensorsClose(covariance, tensorOf(vectors_.at("predictive").at(name).at("cov")),
                             kTolerance, kNearZero));
  }
}

TEST_F(AllLayers, Convolution) {
  const json& conv = vectors_.at("conv");
  const TwoLayers layers = throughConvolution(conv);
  const LaplaceScale scale{static_cast<double>(conv.at("n").get<std::int64_t>()),
                           conv.at("tau").get<double>()};
  const std::vector<at::Tensor> parameters = {tensorOf(conv.at("kernel")),
                                              tensorOf(conv.at("bias")), tensorOf(conv.at("w2")),
                                              tensorOf(conv.at("b2"))};
  const auto labels = conv.at("labels").get<std::vector<std::int64_t>>();
  for (const bool separate_bias : {false, true}) {
    const LaplaceFactors factors =
        factorsOf(layers, LaplaceStructure::kKron, parameters, labels, separate_bias, 4);
    if (!separate_bias) {
      EXPECT_TRUE(tensorsClose(tensorView(factors.layers[0].input_products), tensorOf(conv.at("a")),
                               kTolerance, kNearZero));
      EXPECT_TRUE(tensorsClose(tensorView(factors.layers[0].output_products),
                               tensorOf(conv.at("g")), kTolerance, kNearZero));
    }
    const auto posterior = makePosterior(factors, LaplaceStructure::kKron);
    ASSERT_TRUE(posterior);
    EXPECT_EQ(posterior->parameters(), conv.at("parameters").get<std::int64_t>());
    const char* const key = separate_bias ? "log_evidence_kron_separate_bias" : "log_evidence_kron";
    EXPECT_TRUE(closeTo(logEvidence(*posterior, scale), conv.at(key).get<double>(), kTolerance));
  }
  // The exact trace, of which the diagonal is made, and what the factors make of it.
  const auto traceOf = [](const Array<double>& values) {
    return tensorView(values).sum().item().toDouble();
  };
  const LaplaceFactors diagonal =
      factorsOf(layers, LaplaceStructure::kDiagonal, parameters, labels, false, 4);
  EXPECT_TRUE(closeTo(traceOf(diagonal.layers[0].diagonal) * scale.n,
                      conv.at("ggn_trace_exact").get<double>(), kTolerance));
}

TEST_F(AllLayers, FactorsDoNotDependOnTheBatchSize) {
  for (const auto structure : {LaplaceStructure::kKron, LaplaceStructure::kDiagonal}) {
    const auto whole = makePosterior(fitted(structure, false, 12), structure);
    const auto split = makePosterior(fitted(structure, false, 1), structure);
    ASSERT_TRUE(whole && split);
    EXPECT_TRUE(
        closeTo(logDetPrecision(*split, {12.0, 0.8}), logDetPrecision(*whole, {12.0, 0.8}), 1e-10));
  }
}

}  // namespace
}  // namespace dubito
