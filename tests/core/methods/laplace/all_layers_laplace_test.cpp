// SPDX-License-Identifier: GPL-3.0-or-later
// Posteriors over all layers of small networks, against Jacobians by differentiating their formulas
// in double.
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::kClasses;
using test::kSide;
using test::ListDataset;
using test::spreadNumbers;

constexpr double kTau = 0.5;

class AllLayersLaplace : public test::LaplaceMethod {
 protected:
  AllLayersLaplace() {
    parameters_ = {
        {"w1", spreadNumbers({3, 1, 3, 3}, 0.0)}, {"b1", spreadNumbers({3}, 1.0)},
        {"w2", spreadNumbers({4, 3, 2, 2}, 2.0)}, {"w3", spreadNumbers({5, 16}, 3.0)},
        {"b3", spreadNumbers({5}, 4.0)},          {"w4", spreadNumbers({kClasses, 5}, 5.0)},
        {"b4", spreadNumbers({kClasses}, 6.0)}};
  }

  /// Padding, strides, activations in place, a layer without bias, a product with an addition.
  [[nodiscard]] ModelPtr deep() const {
    return test::madeNetwork(folder_, "deep", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.conv2d(x, self.w1, self.b1, [2, 2], [1, 1])
    x = torch.relu_(x)
    x = torch.conv2d(x, self.w2, None, [1, 1], [1, 1], [2, 2])
    x = torch.tanh(x)
    x = torch.max_pool2d(x, [2, 2], [1, 1])
    x = torch.flatten(x, 1)
    x = torch.relu_(torch.linear(x, self.w3, self.b3))
    return torch.matmul(x, torch.t(self.w4)) + self.b4
)",
                             parameters_, kSide);
  }

  /// The logits of one item [1, 1, side, side] in double, from the parameters in their order.
  static at::Tensor logitsOf(const at::Tensor& item, const std::vector<at::Tensor>& p) {
    at::Tensor x = at::relu(at::conv2d(item, p[0], p[1], {2, 2}, {1, 1}));
    x = at::tanh(at::conv2d(x, p[2], {}, {1, 1}, {1, 1}, {2, 2}));
    x = at::flatten(at::max_pool2d(x, {2, 2}, {1, 1}), 1);
    x = at::relu(at::linear(x, p[3], p[4]));
    return at::linear(x, p[5], p[6]);
  }

  [[nodiscard]] std::vector<at::Tensor> leaves() const {
    std::vector<at::Tensor> leaves;
    for (const auto& [name, values] : parameters_) {
      leaves.push_back(values.to(at::kFloat).to(at::kDouble).requires_grad_(true));
    }
    return leaves;
  }

  struct Linearised {
    at::Tensor probs;     ///< [K]
    at::Tensor jacobian;  ///< [K, P]
  };
  [[nodiscard]] static Linearised linearised(const Dataset& dataset, std::int64_t index,
                                             const ModelPtr& model,
                                             const std::vector<at::Tensor>& leaves) {
    const auto input = preprocess(*dataset.read(index), model->metadata().preprocessing).value();
    at::Tensor item = at::empty({1, 1, kSide, kSide}, at::kDouble);
    std::copy_n(input.data(), input.size(), item.mutable_data_ptr<double>());
    const at::Tensor logits = logitsOf(item, leaves).squeeze(0);
    std::vector<at::Tensor> rows;
    for (std::int64_t k = 0; k < kClasses; ++k) {
      const auto gradients = torch::autograd::grad({logits[k]}, leaves, {}, /*retain_graph=*/true);
      std::vector<at::Tensor> flat;
      for (const at::Tensor& gradient : gradients) {
        flat.push_back(gradient.flatten());
      }
      rows.push_back(at::cat(flat));
    }
    return {at::softmax(logits.detach(), 0), at::stack(rows)};
  }

  static LaplaceOptions allLayers(const std::string& structure, const std::string& link) {
    LaplaceOptions method = with(structure, link, kTau);
    method.layers = "all";
    return method;
  }

  std::vector<std::pair<std::string, at::Tensor>> parameters_;
};

double worstRelative(const Array<float>& actual, const std::vector<double>& expected) {
  EXPECT_EQ(actual.size(), static_cast<std::int64_t>(expected.size()));
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::abs(double{actual.data()[i]} - expected[i]) /
                                std::max(1e-12, std::abs(expected[i])));
  }
  return worst;
}

double largestDifference(const Array<float>& a, const Array<float>& b) {
  EXPECT_EQ(a.shape(), b.shape());
  double worst = 0.0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(double{a.data()[i]} - double{b.data()[i]}));
  }
  return worst;
}

TEST_F(AllLayersLaplace, DiagonalIsWhatDifferentiatingTheFormulasGives) {
  const ModelPtr model = deep();
  const auto run = predicted(model, allLayers("diag", "probit"), 7);
  ASSERT_OK(run);
  const std::vector<at::Tensor> parameters = leaves();
  at::Tensor curvature;
  for (std::int64_t i = 0; i < train_->size(); ++i) {
    const Linearised item = linearised(*train_, i, model, parameters);
    const at::Tensor middle = at::diag(item.probs) - at::outer(item.probs, item.probs);
    const at::Tensor diagonal = (item.jacobian * at::mm(middle, item.jacobian)).sum(0);
    curvature = curvature.defined() ? curvature + diagonal : diagonal;
  }
  const at::Tensor precision = curvature + kTau;
  std::vector<double> expected;
  for (std::int64_t i = 0; i < test_->size(); ++i) {
    const Linearised item = linearised(*test_, i, model, parameters);
    const at::Tensor variance = (item.jacobian.square() / precision).sum(1);
    for (std::int64_t k = 0; k < kClasses; ++k) {
      expected.push_back(variance[k].item().toDouble());
    }
  }
  EXPECT_LT(worstRelative(*run->logit_var, expected), 1e-4);
}

TEST_F(AllLayersLaplace, OfOneLayerIsThatOfTheLastLayer) {
  const ModelPtr model = flat();
  for (const std::string structure : {"kron", "kron-damped", "diag"}) {
    for (const std::string link : {"bridge-centred", "probit"}) {
      const auto all = predicted(model, allLayers(structure, link));
      const auto last = predicted(model, with(structure, link, kTau));
      ASSERT_TRUE(all && last);
      EXPECT_LT(largestDifference(*all->logit_var, *last->logit_var), 1e-5) << structure;
      EXPECT_LT(largestDifference(probsOf(*all), probsOf(*last)), 1e-5) << structure << link;
    }
  }
}

TEST_F(AllLayersLaplace, EvidenceOfOneLayerIsThatOfTheLastLayer) {
  const ModelPtr model = flat();
  LaplaceOptions method;
  const auto last = fitted(model, method);
  method.layers = "all";
  const auto all = fitted(model, method);
  ASSERT_TRUE(all && last);
  EXPECT_NEAR(all->fitted->scale.tau / last->fitted->scale.tau, 1.0, 1e-4);
}

TEST_F(AllLayersLaplace, DoesNotDependOnTheBatchSize) {
  const ModelPtr model = deep();
  for (const std::string structure : {"kron", "diag"}) {
    const auto whole = predicted(model, allLayers(structure, "bridge-centred"), 500);
    const auto split = predicted(model, allLayers(structure, "bridge-centred"), 7);
    ASSERT_TRUE(whole && split);
    EXPECT_LT(largestDifference(probsOf(*whole), probsOf(*split)), 1e-5);
  }
}

/// Bit for bit: items are grouped by their order, wherever batches end.
TEST_F(AllLayersLaplace, FitsAreTheSameForAnyBatchSize) {
  const ModelPtr model = deep();
  const auto equal = [](const Array<double>& a, const Array<double>& b) {
    return std::ranges::equal(a.values(), b.values());
  };
  for (const int threads : {1, 3}) {
    context_.threads = threads;
    for (const std::string structure : {"kron", "diag"}) {
      const auto whole = fitted(model, allLayers(structure, "bridge-centred"), 500);
      ASSERT_TRUE(whole);
      for (const std::int64_t batch : {1, 7, 33, 64}) {
        const auto split = fitted(model, allLayers(structure, "bridge-centred"), batch);
        ASSERT_TRUE(split);
        for (std::size_t i = 0; i < whole->fitted->posterior.layers.size(); ++i) {
          const LayerPosterior& a = whole->fitted->posterior.layers[i];
          const LayerPosterior& b = split->fitted->posterior.layers[i];
          EXPECT_TRUE(equal(a.input_values, b.input_values)) << structure << batch;
          EXPECT_TRUE(equal(a.output_values, b.output_values)) << structure << batch;
          EXPECT_TRUE(equal(a.diagonal, b.diagonal)) << structure << batch;
        }
        EXPECT_EQ(whole->fitted->posterior.log_likelihood, split->fitted->posterior.log_likelihood);
      }
    }
  }
}

TEST_F(AllLayersLaplace, ThreadsShareAFit) {
  const ModelPtr model = deep();
  for (const std::string structure : {"kron", "diag"}) {
    context_.threads = 1;
    const auto alone = fitted(model, allLayers(structure, "bridge-centred"));
    context_.threads = 3;
    const auto shared = fitted(model, allLayers(structure, "bridge-centred"));
    ASSERT_TRUE(alone && shared);
    const LaplacePosterior& expected = alone->fitted->posterior;
    const LaplacePosterior& actual = shared->fitted->posterior;
    EXPECT_EQ(actual.items, expected.items);
    EXPECT_EQ(actual.labelled_items, expected.labelled_items);
    EXPECT_NEAR(actual.log_likelihood, expected.log_likelihood, 1e-5);
    const LaplaceScale scale{90.0, kTau};
    EXPECT_NEAR(logDetPrecision(actual, scale), logDetPrecision(expected, scale), 1e-4);
  }
}

TEST_F(AllLayersLaplace, DrawnWeightsSpreadAsTheGaussianSays) {
  const ModelPtr model = flat();
  LaplaceOptions method = allLayers("diag", "bridge-centred");
  method.tau = 40.0;
  const auto gaussian = predicted(model, method);
  method.predictive = "sampled";
  method.link = LaplaceOptions().link;
  method.weight_draws = 4000;
  const auto drawn = predicted(model, method);
  ASSERT_OK(gaussian);
  ASSERT_OK(drawn);
  ASSERT_TRUE(drawn->samples);
  // The network is linear in its weights, and a diagonal posterior's logits are independent.
  const Array<float>& samples = *drawn->samples;
  const std::int64_t items = test_->size();
  const auto draws = static_cast<double>(method.weight_draws);
  for (std::int64_t i = 0; i < items; i += 5) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t t = 0; t < method.weight_draws; ++t) {
      const float* const p = samples.data() + (t * items + i) * kClasses;
      const double gap = std::log(double{p[1]}) - std::log(double{p[0]});
      sum += gap;
      squares += gap * gap;
    }
    const double variance = (squares - sum * sum / draws) / (draws - 1.0);
    const float* const var = gaussian->logit_var->data() + i * kClasses;
    const float* const mean = gaussian->logit_mean->data() + i * kClasses;
    const double expected = double{var[0]} + double{var[1]};
    EXPECT_NEAR(variance / expected, 1.0, 0.15);
    EXPECT_NEAR(sum / draws, double{mean[1]} - double{mean[0]}, 5.0 * std::sqrt(expected / draws));
  }
}

TEST_F(AllLayersLaplace, SaysThatDrawnWeightsMayBeTooWide) {
  // A pixel that no fitted item has leaves its weights to the prior; an item that has much of it
  // is finite under the trained weights alone.
  for (Sample& sample : train_->samples()) {
    std::get<Image8>(sample).pixels.mutableData()[0] = 0;
  }
  for (Sample& sample : test_->samples()) {
    Array<float> image = Array<float>::zeros({kSide, kSide, 1});
    image.mutableData()[0] = 1e37F;
    sample = std::move(image);
  }
  const ModelPtr model = flat();
  ASSERT_TRUE(predict(*model, *test_, MapOptions{}, {}, context_));
  LaplaceOptions method = allLayers("diag", LaplaceOptions().link);
  method.predictive = "sampled";
  method.weight_draws = 4;
  method.tau = 1e-12;
  const auto refused = predicted(model, method);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("drawn around the trained ones with prior precision 1e-12"));
  EXPECT_THAT(refused.error().remedy.settings,
              testing::ElementsAre(setting("prior"), setting("predictive", "linearised")));
}

TEST_F(AllLayersLaplace, SaysThatAPosteriorIsFarBelowTheNetworkOnItsOwnItems) {
  const ModelPtr model = flat();
  const auto map = predict(*model, *train_, MapOptions{}, {}, context_);
  ASSERT_TRUE(map);
  // Items that the network predicts correctly.
  std::vector<Sample> samples = train_->samples();
  data_.fit = std::make_shared<ListDataset>(
      std::move(samples), std::vector<std::int64_t>(train_->ids().begin(), train_->ids().end()),
      std::vector<std::int64_t>(map->predictions.values().begin(),
                                map->predictions.values().end()));
  const auto noteOf = [&](double tau, const std::string& predictive) {
    LaplaceOptions method = allLayers("diag", LaplaceOptions().link);
    method.predictive = predictive;
    method.weight_draws = 20;
    method.tau = tau;
    const auto ready = fitted(model, method);
    EXPECT_TRUE(ready) << ready.error().message;
    std::string found;
    for (const std::string& note : ready ? ready->fit->notes : std::vector<std::string>()) {
      found += note.find("that it was fitted on") != std::string::npos ? note : "";
    }
    return found;
  };
  EXPECT_THAT(noteOf(1e-6, "sampled"), HasSubstr("On 90 of the items that it was fitted on"));
  EXPECT_THAT(noteOf(1e-6, "sampled"), HasSubstr("the network alone 100 %"));
  EXPECT_EQ(noteOf(1e9, "sampled"), "");
  EXPECT_EQ(noteOf(1e9, "linearised"), "");
}

TEST_F(AllLayersLaplace, DrawsAreFunctionsThatDependOnTheSeedAlone) {
  const ModelPtr model = deep();
  LaplaceOptions method = allLayers("kron", "bridge-centred");
  method.predictive = "sampled";
  method.link = LaplaceOptions().link;
  method.weight_draws = 8;
  const auto whole = predicted(model, method, 500);
  const auto split = predicted(model, method, 7);
  ASSERT_TRUE(whole && split);
  EXPECT_LT(largestDifference(*whole->samples, *split->samples), 1e-4);
  EXPECT_GT(*std::ranges::max_element(whole->mutual_information->values()), 1e-4);
  context_.seed = 1;
  const auto other = predicted(model, method, 500);
  ASSERT_TRUE(other);
  EXPECT_GT(largestDifference(*whole->samples, *other->samples), 1e-2);
}

TEST_F(AllLayersLaplace, CertainWeightsGiveTheNetworkItself) {
  const ModelPtr model = deep();
  const auto map = predict(*model, *test_, MapOptions{}, {}, context_);
  ASSERT_TRUE(map);
  for (const std::string predictive : {"linearised", "sampled"}) {
    LaplaceOptions method = allLayers("kron", "bridge-centred");
    method.link = predictive == "linearised" ? "probit" : LaplaceOptions().link;
    method.predictive = predictive;
    method.tau = 1e12;
    const auto run = predicted(model, method);
    ASSERT_OK(run);
    EXPECT_LT(largestDifference(probsOf(*run), probsOf(*map)), 1e-4) << predictive;
  }
}

TEST_F(AllLayersLaplace, SavedPosteriorIsUsedAgain) {
  const ModelPtr model = deep();
  data_.posterior_path = folder_.file("posterior.npz");
  LaplaceOptions method = allLayers("kron", "bridge-centred");
  method.separate_bias = true;
  const auto first = predicted(model, method);
  data_.fit = nullptr;
  const auto second = predicted(model, method);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(largestDifference(probsOf(*first), probsOf(*second)), 0.0);
  method.separate_bias = false;
  const auto refused = predicted(model, method);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("all layers with separate biases"));
}

TEST_F(AllLayersLaplace, PriorIsTunedByTheConfidenceOfSamples) {
  const ModelPtr model = deep();
  data_.calibration = calibration_;
  LaplaceOptions method = allLayers("diag", "mc");
  method.tau = std::nullopt;
  method.prior = "mmc-drop=0.05";
  const auto ready = fitted(model, method);
  ASSERT_OK(ready);
  const auto meanConfidence = [&](const MethodOptions& of) {
    const auto run = predict(*model, *calibration_, of, {}, context_);
    EXPECT_TRUE(run);
    double sum = 0.0;
    for (std::int64_t i = 0; run && i < run->itemCount(); ++i) {
      sum += *std::ranges::max_element(probsOf(*run).row(i));
    }
    return sum / static_cast<double>(calibration_->size());
  };
  EXPECT_NEAR(meanConfidence(*ready) / meanConfidence(MapOptions{}), 0.95, 2e-3);
}

TEST_F(AllLayersLaplace, ListsWhatCountsAsCertain) {
  const ModelPtr model = test::madeNetwork(folder_, "normalised", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.conv2d(x, self.w1, self.b1)
    x = torch.batch_norm(x, self.scale, self.shift, self.mean, self.var, False, 0.1, 1e-5, False)
    x = torch.conv2d(torch.relu(x), self.grouped, None, [1, 1], [0, 0], [1, 1], 3)
    return torch.linear(torch.flatten(x, 1), self.w2, None)
)",
                                           {{"w1", spreadNumbers({3, 1, 3, 3}, 0.0)},
                                            {"b1", spreadNumbers({3}, 1.0)},
                                            {"scale", spreadNumbers({3}, 1.5)},
                                            {"shift", spreadNumbers({3}, 2.5)},
                                            {"mean", spreadNumbers({3}, 3.5)},
                                            {"var", at::abs(spreadNumbers({3}, 4.5)) + 0.5},
                                            {"grouped", spreadNumbers({3, 1, 3, 3}, 5.5)},
                                            {"w2", spreadNumbers({kClasses, 12}, 2.0)}},
                                           kSide);
  const auto run = predicted(model, allLayers("kron", "bridge-centred"));
  ASSERT_OK(run);
  const std::vector<std::string> notes = textsOf(run->meta.notes);
  const auto noted = std::ranges::find_if(notes, [](const std::string& note) {
    return note.starts_with("Weights treated as certain");
  });
  ASSERT_NE(noted, notes.end());
  EXPECT_THAT(*noted, HasSubstr("normalisation"));
  EXPECT_THAT(*noted, HasSubstr("aten::conv2d"));
  const auto fit = nlohmann::json::parse(run->meta.method_options).at("fitted");
  EXPECT_EQ(fit.at("layers"), 2);
  EXPECT_EQ(fit.at("parameters"), 3 * 10 + kClasses * 12);
}

/// Exporters transpose weights, split products from biases and name weights by themselves: they
/// stay the weights of layers, and one that is used twice stays one.
TEST_F(AllLayersLaplace, OfAnOnnxFileIsThatOfItsNetworkInTorchScript) {
  std::vector<nlohmann::json> fits;
  for (const char* const file : {"transformer.pt", "transformer_old.onnx",
                                 "transformer_dynamo.onnx", "transformer_plain.onnx"}) {
    const auto model =
        loadModel((test::sourceDir() / "tests/data/onnx" / file).string(), {}, context_);
    ASSERT_OK(model);
    const auto run = predicted(*model, allLayers("diag", "probit"));
    ASSERT_OK(run);
    const auto fit = nlohmann::json::parse(run->meta.method_options).at("fitted");
    // The convolution, the two layers of the perceptron, attention and the head.
    EXPECT_EQ(fit.at("layers"), 5) << file;
    EXPECT_EQ(fit.at("parameters"), 8 * 10 + 24 * 9 + 12 * 9 + 8 * 12 + 4 * 9) << file;
    EXPECT_TRUE(std::ranges::any_of(textsOf(run->meta.notes), [](const std::string& note) {
      return note.find("tied (used more than once)") != std::string::npos;
    })) << file;
    EXPECT_EQ((*model)->audit().parameter_count, 80 + 16 + 216 + 108 + 96 + 72 + 36) << file;
    fits.push_back(fit);
  }
  for (const nlohmann::json& fit : fits) {
    const double evidence = fits[0].at("log_evidence").get<double>();
    EXPECT_NEAR(fit.at("log_evidence").get<double>(), evidence, 1e-5 * std::abs(evidence));
  }
}

TEST_F(AllLayersLaplace, NetworkMayWriteIntoItsInput) {
  const ModelPtr model = test::madeNetwork(
      folder_, "writes", R"(
def forward(self, x: Tensor) -> Tensor:
    x.sub_(0.5)
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
      {{"w", spreadNumbers({kClasses, kSide * kSide}, 0.0)}, {"b", spreadNumbers({kClasses}, 1.0)}},
      kSide);
  const auto map = predict(*model, *test_, MapOptions{}, {}, context_);
  ASSERT_TRUE(map);
  for (const std::string predictive : {"linearised", "sampled"}) {
    LaplaceOptions method = allLayers("diag", "bridge-centred");
    method.link = predictive == "linearised" ? "probit" : LaplaceOptions().link;
    method.predictive = predictive;
    method.weight_draws = 3;
    method.tau = 1e12;
    const auto run = predicted(model, method);
    ASSERT_OK(run);
    EXPECT_LT(largestDifference(probsOf(*run), probsOf(*map)), 1e-4) << predictive;
  }
}

/// What is added twice is no bias, and counts as certain; the product is a layer.
TEST_F(AllLayersLaplace, ScaledAdditionIsNoBias) {
  const ModelPtr model = test::madeNetwork(folder_, "scaled", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.add(torch.matmul(torch.flatten(x, 1), torch.t(self.w)), self.b, alpha=2)
    return torch.linear(torch.tanh(x), self.w2, None)
)",
                                           {{"w", spreadNumbers({5, kSide * kSide}, 0.0)},
                                            {"b", spreadNumbers({5}, 1.0)},
                                            {"w2", spreadNumbers({kClasses, 5}, 2.0)}},
                                           kSide);
  const auto run = predicted(model, allLayers("kron", "bridge-centred"));
  ASSERT_OK(run);
  const auto fit = nlohmann::json::parse(run->meta.method_options).at("fitted");
  EXPECT_EQ(fit.at("parameters"), 5 * kSide * kSide + kClasses * 5);
}

TEST_F(AllLayersLaplace, RefusesLogitsThatAreNotThoseOfTheHead) {
  const ModelPtr model = test::madeNetwork(
      folder_, "divided", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b) / 3.0
)",
      {{"w", spreadNumbers({kClasses, kSide * kSide}, 0.0)}, {"b", spreadNumbers({kClasses}, 1.0)}},
      kSide);
  const auto run = predicted(model, allLayers("diag", "probit"));
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("not the softmax of its last linear layer"));
}

TEST_F(AllLayersLaplace, RefusesWhatDoesNotGoTogether) {
  const ModelPtr model = flat();
  const auto refusal = [&](LaplaceOptions method) {
    const auto run = predicted(model, method);
    EXPECT_FALSE(run);
    return run ? Error() : run.error();
  };
  Error refused = refusal(allLayers("full", "probit"));
  EXPECT_THAT(refused.message, HasSubstr("for the last layer"));
  EXPECT_THAT(refused.remedy.settings,
              testing::ElementsAre(setting("structure", "kron"), setting("layers", "all")));
  LaplaceOptions method = with("kron", "bridge-centred");
  method.predictive = "sampled";
  method.link = LaplaceOptions().link;
  refused = refusal(method);
  EXPECT_THAT(refused.message, HasSubstr("select all layers"));
  EXPECT_THAT(refused.remedy.settings, testing::Contains(setting("layers", "all")));
  method = allLayers("kron", "probit");
  method.predictive = "sampled";
  refused = refusal(method);
  EXPECT_THAT(refused.message, HasSubstr("the link probit"));
  EXPECT_THAT(refused.remedy.settings, testing::Contains(setting("link", "probit")));
  method = allLayers("diag", "probit");
  method.separate_bias = true;
  refused = refusal(method);
  EXPECT_THAT(refused.message, HasSubstr("separate biases"));
  EXPECT_THAT(refused.remedy.settings, testing::Contains(setting("separate_bias")));
}

}  // namespace
}  // namespace dubito
