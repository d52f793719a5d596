// SPDX-License-Identifier: GPL-3.0-or-later
// Posteriors of convolutions, of sequences and of many classes, against factors by loops in double.
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::kClasses;
using test::kSide;
using test::spreadNumbers;

constexpr double kTau = 0.5;

/// One item in its passage through a network whose layers are products with columns.
struct Passage {
  at::Tensor logits;                ///< [K]
  std::vector<at::Tensor> inputs;   ///< of each layer [D, L], the constant 1 of a bias last
  std::vector<at::Tensor> outputs;  ///< [O, L]

  /// Goes on behind a layer with the weights [O, ...] and perhaps a bias.
  at::Tensor layer(const at::Tensor& columns, const at::Tensor& weight, const at::Tensor& bias) {
    const at::Tensor rows = weight.flatten(1);
    at::Tensor extended = columns;
    at::Tensor joined = rows;
    if (bias.defined()) {
      extended = at::cat({columns, at::ones({1, columns.size(1)}, at::kDouble)});
      joined = at::cat({rows, bias.unsqueeze(1)}, 1);
    }
    inputs.push_back(extended.detach());
    outputs.push_back(at::mm(joined, extended));
    return outputs.back();
  }
};
using Formulas = std::function<Passage(const at::Tensor& item)>;

/// Gradients of every logit by every layer's outputs: [layer][k], each [O, L].
std::vector<std::vector<at::Tensor>> gradientsOf(const Passage& passage) {
  std::vector<std::vector<at::Tensor>> gradients(passage.outputs.size());
  for (std::int64_t k = 0; k < passage.logits.size(0); ++k) {
    const auto of_logit =
        torch::autograd::grad({passage.logits[k]}, passage.outputs, {}, /*retain_graph=*/true);
    for (std::size_t i = 0; i < of_logit.size(); ++i) {
      gradients[i].push_back(of_logit[i]);
    }
  }
  return gradients;
}

class LayerKinds : public test::LaplaceMethod {
 protected:
  [[nodiscard]] static at::Tensor asInput(const Dataset& dataset, std::int64_t index,
                                          const ModelPtr& model) {
    const auto input = preprocess(*dataset.read(index), model->metadata().preprocessing).value();
    at::Tensor item = at::empty({1, 1, kSide, kSide}, at::kDouble);
    std::copy_n(input.data(), input.size(), item.mutable_data_ptr<double>());
    return item.requires_grad_(true);
  }

  /// The inverses of N G (x) A + tau I of all layers, each [O D, O D].
  [[nodiscard]] std::vector<at::Tensor> covariances(const ModelPtr& model,
                                                    const Formulas& formulas) const {
    std::vector<at::Tensor> of_inputs;
    std::vector<at::Tensor> of_outputs;
    for (std::int64_t n = 0; n < train_->size(); ++n) {
      const Passage passage = formulas(asInput(*train_, n, model));
      const at::Tensor p = at::softmax(passage.logits.detach(), 0);
      const auto gradients = gradientsOf(passage);
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        const at::Tensor& a = passage.inputs[i];
        at::Tensor outer =
            at::zeros({gradients[i][0].size(0), gradients[i][0].size(0)}, p.options());
        for (std::int64_t k = 0; k < p.size(0); ++k) {
          for (std::int64_t l = 0; l < p.size(0); ++l) {
            const at::Tensor middle = (k == l ? p[k] : at::zeros_like(p[k])) - p[k] * p[l];
            outer += middle * at::mm(gradients[i][static_cast<std::size_t>(k)],
                                     gradients[i][static_cast<std::size_t>(l)].t());
          }
        }
        if (n == 0) {
          of_inputs.push_back(at::zeros({a.size(0), a.size(0)}, p.options()));
          of_outputs.push_back(at::zeros_like(outer));
        }
        of_inputs[i] += at::mm(a, a.t());
        of_outputs[i] += outer / static_cast<double>(a.size(1));
      }
    }
    std::vector<at::Tensor> inverses;
    const auto count = static_cast<double>(train_->size());
    for (std::size_t i = 0; i < of_inputs.size(); ++i) {
      const at::Tensor curvature = at::kron(of_outputs[i], of_inputs[i]) / count;
      inverses.push_back(
          at::linalg_inv(curvature + kTau * at::eye(curvature.size(0), at::kDouble)));
    }
    return inverses;
  }

  /// Compares logits and their variances with those of the formulas.
  void expectKronOf(const ModelPtr& model, const Formulas& formulas) {
    LaplaceOptions method = with("kron", "probit", kTau);
    method.layers = "all";
    const auto run = predicted(model, method, 7);
    ASSERT_OK(run);
    const std::vector<at::Tensor> inverses = covariances(model, formulas);
    for (std::int64_t i = 0; i < test_->size(); ++i) {
      const Passage passage = formulas(asInput(*test_, i, model));
      const auto gradients = gradientsOf(passage);
      for (std::int64_t k = 0; k < kClasses; ++k) {
        double variance = 0.0;
        for (std::size_t layer = 0; layer < inverses.size(); ++layer) {
          const at::Tensor jacobian =
              at::mm(gradients[layer][static_cast<std::size_t>(k)], passage.inputs[layer].t())
                  .flatten();
          variance += at::dot(jacobian, at::mv(inverses[layer], jacobian)).item().toDouble();
        }
        const auto at = i * kClasses + k;
        EXPECT_NEAR(double{run->logit_mean->data()[at]}, passage.logits[k].item().toDouble(), 1e-4);
        EXPECT_NEAR(double{run->logit_var->data()[at]} / variance, 1.0, 1e-4) << i << " " << k;
      }
    }
  }

  static at::Tensor stored(const at::Tensor& parameter) {
    return parameter.to(at::kFloat).to(at::kDouble);
  }
};

TEST_F(LayerKinds, ConvolutionsHaveThePredictiveOfTheirFactors) {
  const at::Tensor w1 = spreadNumbers({3, 1, 3, 3}, 0.0);
  const at::Tensor b1 = spreadNumbers({3}, 1.0);
  const at::Tensor w2 = spreadNumbers({4, 3, 2, 2}, 2.0);
  const at::Tensor w3 = spreadNumbers({kClasses, 36}, 3.0);
  const at::Tensor b3 = spreadNumbers({kClasses}, 4.0);
  const ModelPtr model =
      test::madeNetwork(folder_, "convolutions", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.tanh(torch.conv2d(x, self.w1, self.b1, [2, 2], [1, 1]))
    x = torch.tanh(torch.conv2d(x, self.w2, None, [1, 1], [1, 1], [2, 2]))
    return torch.linear(torch.flatten(x, 1), self.w3, self.b3)
)",
                        {{"w1", w1}, {"b1", b1}, {"w2", w2}, {"w3", w3}, {"b3", b3}}, kSide);
  expectKronOf(model, [&](const at::Tensor& item) {
    Passage passage;
    at::Tensor x = at::im2col(item, {3, 3}, {1, 1}, {1, 1}, {2, 2}).squeeze(0);
    x = at::tanh(passage.layer(x, stored(w1), stored(b1))).view({1, 3, 3, 3});
    x = at::im2col(x, {2, 2}, {2, 2}, {1, 1}, {1, 1}).squeeze(0);
    x = at::tanh(passage.layer(x, stored(w2), {})).reshape({-1, 1});
    passage.logits = passage.layer(x, stored(w3), stored(b3)).squeeze(1);
    return passage;
  });
}

/// Rows of an image as the steps of a sequence [N, S, D]: a position each.
TEST_F(LayerKinds, SequencesHaveThePredictiveOfTheirFactors) {
  const at::Tensor w1 = spreadNumbers({5, kSide}, 0.0);
  const at::Tensor b1 = spreadNumbers({5}, 1.0);
  const at::Tensor w2 = spreadNumbers({kClasses, 5 * kSide}, 2.0);
  const at::Tensor b2 = spreadNumbers({kClasses}, 3.0);
  const ModelPtr model = test::madeNetwork(folder_, "sequence", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.tanh(torch.linear(x.squeeze(1), self.w1, self.b1))
    return torch.linear(torch.flatten(x, 1), self.w2, self.b2)
)",
                                           {{"w1", w1}, {"b1", b1}, {"w2", w2}, {"b2", b2}}, kSide);
  expectKronOf(model, [&](const at::Tensor& item) {
    Passage passage;
    const at::Tensor steps = item.view({kSide, kSide}).t();  // [D, S]
    const at::Tensor x = at::tanh(passage.layer(steps, stored(w1), stored(b1)));
    passage.logits = passage.layer(x.t().reshape({-1, 1}), stored(w2), stored(b2)).squeeze(1);
    return passage;
  });
}

/// More classes than passes backwards: labels are drawn, and their curvature is right on average.
TEST_F(LayerKinds, ManyClassesAreEstimatedFromLabels) {
  constexpr std::int64_t kMany = 24;
  const at::Tensor w = spreadNumbers({kMany, kSide * kSide}, 0.0) * 0.3;
  const ModelPtr model = test::madeNetwork(folder_, "many", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, None)
)",
                                           {{"w", w}}, kSide);
  LaplaceOptions method = with("kron", "probit", kTau);
  const auto exact = fitted(model, method);
  method.layers = "all";
  const auto drawn = fitted(model, method);
  const auto split = fitted(model, method, 7);
  context_.seed = 1;
  const auto other = fitted(model, method);
  ASSERT_TRUE(exact && drawn && split && other) << drawn.error().message;
  EXPECT_TRUE(std::ranges::any_of(drawn->fit->notes, [](const std::string& note) {
    return note.find("estimated from 20 labels per item, drawn with seed 0") != std::string::npos;
  }));
  const auto factorOf = [](const LaplaceOptions& ready, bool of_inputs) {
    const LayerPosterior& layer = ready.fitted->posterior.layers.at(0);
    const Array<double>& vectors = of_inputs ? layer.input_basis : layer.output_basis;
    const Array<double>& values = of_inputs ? layer.input_values : layer.output_values;
    const at::Tensor basis = at::from_blob(const_cast<double*>(vectors.data()),
                                           {values.size(), values.size()}, at::kDouble);
    const at::Tensor scales =
        at::from_blob(const_cast<double*>(values.data()), {values.size()}, at::kDouble);
    return at::mm(basis * scales, basis.t());
  };
  const auto apart = [&](const LaplaceOptions& a, const LaplaceOptions& b, bool of_inputs) {
    return ((factorOf(a, of_inputs) - factorOf(b, of_inputs)).norm() /
            factorOf(b, of_inputs).norm())
        .item()
        .toDouble();
  };
  EXPECT_LT(apart(*drawn, *exact, true), 1e-6);
  EXPECT_LT(apart(*drawn, *exact, false), 0.15) << "of 90 items with 20 labels";
  EXPECT_GT(apart(*drawn, *other, false), 1e-3) << "another seed draws other labels";
  EXPECT_LT(apart(*drawn, *split, false), 1e-6);
  EXPECT_TRUE(predict(*model, *test_, *drawn, {}, context_));
}

/// Between the layers of a network a cancel is followed as well.
TEST_F(LayerKinds, FactorisingIsLeftBetweenLayers) {
  std::int64_t layers_begun = 0;
  context_.on_progress = [&](const Progress& progress) {
    if (progress.stage == "factorising") {
      ++layers_begun;
      context_.control()->requestCancel();
    }
  };
  data_.posterior_path = folder_.file("posterior.npz");
  LaplaceOptions method = with("kron", "probit");
  method.layers = "all";
  const auto cancelled = fitted(convolutional(), method);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(layers_begun, 1);
  EXPECT_FALSE(std::filesystem::exists(data_.posterior_path));
}

}  // namespace
}  // namespace dubito
