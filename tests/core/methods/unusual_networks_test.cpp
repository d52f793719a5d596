// SPDX-License-Identifier: GPL-3.0-or-later
// Every method with networks that mask classes, compute in other number types, have one output or
// return several tensors.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/decisions/run_dirichlets.h"
#include "core/io/run_file.h"
#include "core/metrics/evaluation.h"
#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::LaplaceMethod;
using test::ListDataset;
using test::loadFixture;
using test::madeNetwork;
using test::spreadNumbers;

constexpr std::int64_t kMasked = 2;

double logitOf(const dubito::Run& run, std::int64_t item, std::int64_t k) {
  return std::visit(
      [&](const auto& logits) { return double{logits.row(item)[static_cast<std::size_t>(k)]}; },
      *run.logits);
}

class UnusualNetworks : public LaplaceMethod {
 protected:
  /// Class kMasked of four has a logit of minus infinity; with dropout before the last layer.
  [[nodiscard]] ModelPtr masked() const {
    return madeNetwork(folder_, "masked", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.dropout(torch.flatten(x, 1), 0.3, self.training)
    mask = torch.arange(4) == 2
    return torch.masked_fill(torch.linear(x, self.w, self.b), mask, float("-inf"))
)",
                       {{"w", spreadNumbers({test::kClasses, test::kSide * test::kSide}, 0.0)},
                        {"b", spreadNumbers({test::kClasses}, 1.0)}},
                       test::kSide);
  }
  Expected<dubito::Run> ran(const ModelPtr& model, const MethodOptions& method) {
    return predict(*model, *test_, method, {}, context_);
  }
  Expected<MethodOptions> prepared(const ModelPtr& model, const MethodOptions& method,
                                   const MethodData& data) {
    return prepareMethod(*model, method, data, {}, context_);
  }
  static void unmaskLabels(ListDataset& dataset) {
    for (std::int64_t& label : dataset.itemLabels()) {
      label = label == kMasked ? 0 : label;
    }
  }
  static std::string message(const auto& expected) {
    return expected ? std::string() : expected.error().message;
  }
  static bool noted(const dubito::Run& run, const std::string& part) {
    return std::ranges::any_of(textsOf(run.meta.notes), [&](const std::string& note) {
      return note.find(part) != std::string::npos;
    });
  }
  /// Of every item: probability exactly 0 of the masked class, sums of 1, measures of the rest.
  static void expectMasked(const dubito::Run& run) {
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      EXPECT_EQ(run.prob(i, kMasked), 0.0);
      double sum = 0.0;
      double entropy = 0.0;
      for (std::int64_t k = 0; k < test::kClasses; ++k) {
        const double p = run.prob(i, k);
        sum += p;
        entropy -= p > 0.0 ? p * std::log(p) : 0.0;
      }
      EXPECT_NEAR(sum, 1.0, 1e-6);
      EXPECT_NEAR(run.entropy->data()[i], entropy, 1e-6);
    }
  }
};

TEST_F(UnusualNetworks, MaskedClassesHaveProbabilityZero) {
  const ModelPtr model = masked();
  ASSERT_NE(model, nullptr);
  const auto run = ran(model, MapOptions{});
  ASSERT_TRUE(run) << message(run);
  expectMasked(*run);
  EXPECT_TRUE(noted(*run, "masks classes"));
  const std::string path = folder_.file("run.npz");
  ASSERT_TRUE(writeRun(*run, path, context_));
  const auto read = readRun(path, context_);
  ASSERT_TRUE(read) << message(read);
  expectMasked(*read);
  EXPECT_EQ(logitOf(*read, 0, kMasked), -std::numeric_limits<double>::infinity());

  McDropoutOptions dropout;
  dropout.draws = 20;
  const auto draws = ran(model, dropout);
  ASSERT_TRUE(draws) << message(draws);
  expectMasked(*draws);
  for (const double information : draws->mutual_information->values()) {
    EXPECT_GT(information, 0.0);
    EXPECT_LT(information, std::log(3.0));
  }
  const auto dirichlets = RunDirichlets::of(*draws, "run", "moments");
  ASSERT_TRUE(dirichlets) << message(dirichlets);
  for (const double alpha : dirichlets->alpha(0)) {
    EXPECT_TRUE(std::isfinite(alpha) && alpha > 0.0) << alpha;
  }
}

TEST_F(UnusualNetworks, LabelsOfMaskedClassesMakeTheLikelihoodInfinite) {
  const auto masked_labels = std::ranges::count(test_->labels(), kMasked);
  ASSERT_GT(masked_labels, 0);
  auto run = ran(masked(), MapOptions{});
  ASSERT_TRUE(run) << message(run);
  const auto infinite = evaluate(*run, {}, {}, context_);
  ASSERT_TRUE(infinite) << message(infinite);
  EXPECT_EQ(*infinite->nll, std::numeric_limits<double>::infinity());
  EXPECT_EQ(infinite->masked_labels, masked_labels);
  EXPECT_TRUE(std::isfinite(*infinite->brier) && std::isfinite(*infinite->ece));

  unmaskLabels(*test_);
  run = ran(masked(), MapOptions{});
  ASSERT_TRUE(run) << message(run);
  const auto finite = evaluate(*run, {}, {}, context_);
  ASSERT_TRUE(finite) << message(finite);
  EXPECT_EQ(finite->masked_labels, 0);
  double nll = 0.0;
  for (std::int64_t i = 0; i < run->itemCount(); ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < test::kClasses; ++k) {
      const double z = logitOf(*run, i, k);
      sum += std::isinf(z) ? 0.0 : std::exp(z);
    }
    nll -= logitOf(*run, i, run->labels.data()[i]) - std::log(sum);
  }
  EXPECT_NEAR(*finite->nll, nll / static_cast<double>(run->itemCount()), 1e-12);
}

TEST_F(UnusualNetworks, TemperatureLeavesMaskedClassesOut) {
  const ModelPtr model = masked();
  MethodData data;
  data.calibration = calibration_;
  const auto method = prepared(model, TemperatureOptions{}, data);
  ASSERT_TRUE(method) << message(method);
  const double with_masked_labels = *std::get<TemperatureOptions>(*method).temperature;
  EXPECT_TRUE(std::isfinite(with_masked_labels));
  EXPECT_TRUE(std::ranges::any_of(fitOf(*method)->notes, [](const std::string& note) {
    return note.find("class is masked") != std::string::npos;
  }));
  const auto run = ran(model, *method);
  ASSERT_TRUE(run) << message(run);
  expectMasked(*run);

  // The same as of the items and classes that are left, fitted without any mask.
  std::vector<Sample> samples;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  for (std::size_t i = 0; i < calibration_->samples().size(); ++i) {
    const std::int64_t label = calibration_->labels()[i];
    if (label != kMasked) {
      samples.push_back(calibration_->samples()[i]);
      ids.push_back(calibration_->ids()[i]);
      labels.push_back(label == 3 ? 2 : label);
    }
  }
  data.calibration = std::make_shared<ListDataset>(samples, ids, labels);
  const at::Tensor kept = at::tensor(std::vector<std::int64_t>{0, 1, 3}, at::kLong);
  const ModelPtr of_three = madeNetwork(
      folder_, "three", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
      {{"w", spreadNumbers({test::kClasses, test::kSide * test::kSide}, 0.0).index_select(0, kept)},
       {"b", spreadNumbers({test::kClasses}, 1.0).index_select(0, kept)}},
      test::kSide);
  const auto same = prepared(of_three, TemperatureOptions{}, data);
  ASSERT_TRUE(same) << message(same);
  EXPECT_NEAR(*std::get<TemperatureOptions>(*same).temperature / with_masked_labels, 1.0, 1e-6);
}

TEST_F(UnusualNetworks, MethodsThatCannotMaskSaySo) {
  MethodData data;
  data.calibration = calibration_;
  const auto scaling = prepared(masked(), VectorScalingOptions{}, data);
  EXPECT_THAT(message(scaling), HasSubstr("minus infinity"));
  const auto behind_head = fitted(masked(), with("kron", "probit"));
  EXPECT_THAT(message(behind_head), HasSubstr("masked_fill"));
  // The mask in the bias of the head itself.
  at::Tensor bias = spreadNumbers({test::kClasses}, 1.0);
  bias[kMasked] = -std::numeric_limits<double>::infinity();
  const ModelPtr in_head = madeNetwork(
      folder_, "in_head", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
      {{"w", spreadNumbers({test::kClasses, test::kSide * test::kSide}, 0.0)}, {"b", bias}},
      test::kSide);
  ASSERT_NE(in_head, nullptr);
  EXPECT_FALSE(std::isnan(in_head->audit().head.reconstruction_error));
  for (const char* layers : {"last", "all"}) {
    LaplaceOptions method = with("kron", "probit");
    method.layers = layers;
    const auto refused = fitted(in_head, method);
    EXPECT_THAT(message(refused), HasSubstr("masks classes"));
  }
}

TEST_F(UnusualNetworks, NanAndPlusInfinityStayRefused) {
  for (const char* number : {"nan", "inf"}) {
    // From the first pixel of some items alone.
    const ModelPtr model = madeNetwork(folder_, number,
                                       fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    bad = (x[:, :1] > 0.5) & (x.sum(1, True) > 17.0) & (torch.arange(4) == 1)
    return torch.masked_fill(torch.linear(x, self.w), bad, float("{}"))
)",
                                                   number),
                                       {{"w", spreadNumbers({4, 36}, 0.0)}}, test::kSide);
    ASSERT_NE(model, nullptr);
    const auto run = ran(model, MapOptions{});
    ASSERT_FALSE(run) << number;
    EXPECT_THAT(message(run), HasSubstr("test, item #"));
    EXPECT_THAT(message(run), HasSubstr("NaN or infinity"));
  }
  const ModelPtr all = madeNetwork(folder_, "all_masked", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    bad = x.sum(1, True) > 17.0
    return torch.masked_fill(torch.linear(x, self.w), bad, float("-inf"))
)",
                                   {{"w", spreadNumbers({4, 36}, 0.0)}}, test::kSide);
  const auto run = ran(all, MapOptions{});
  ASSERT_FALSE(run);
  EXPECT_THAT(message(run), HasSubstr("for every class"));
}

/// Vectors of ten numbers.
std::shared_ptr<ListDataset> vectors(std::int64_t first, std::int64_t count) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = first; i < first + count; ++i) {
    std::vector<float> numbers;
    for (int j = 0; j < 10; ++j) {
      numbers.push_back(std::sin(static_cast<float>(10 * i + j) * 1.7F));
    }
    samples.emplace_back(Array<float>::fromVector(numbers));
    ids.push_back(i);
    labels.push_back(i % 3);
  }
  auto dataset = std::make_shared<ListDataset>(samples, ids, labels);
  dataset->info().name = fmt::format("vectors {}", first);
  dataset->info().spec = dataset->info().name;
  return dataset;
}

class NetworksOfOtherNumbers : public LaplaceMethod,
                               public testing::WithParamInterface<const char*> {};

TEST_P(NetworksOfOtherNumbers, RunWithEveryMethod) {
  const ModelPtr model = loadFixture(GetParam());
  ASSERT_NE(model, nullptr);
  const auto dataset = vectors(100, 20);
  data_.fit = vectors(0, 60);
  std::vector<MethodOptions> methods{MapOptions{}, McDropoutOptions{.draws = 10}};
  for (const char* layers : {"last", "all"}) {
    for (const char* predictive : {"linearised", "sampled"}) {
      LaplaceOptions method = with("kron", "probit");
      method.layers = layers;
      method.predictive = predictive;
      if (std::string(predictive) == "sampled") {
        method.link = LaplaceOptions().link;
        method.weight_draws = 5;
      }
      if (std::string(layers) == "all" || std::string(predictive) == "linearised") {
        methods.emplace_back(method);
      }
    }
  }
  for (const MethodOptions& method : methods) {
    const auto ready = prepareMethod(
        *model, method, std::holds_alternative<LaplaceOptions>(method) ? data_ : MethodData(), {},
        context_);
    ASSERT_OK(ready);
    const auto together = predict(*model, *dataset, *ready, {}, context_);
    ASSERT_TRUE(together) << methodJson(method) << ": " << together.error().message;
    const auto apart = predict(*model, *dataset, *ready, {.batch = 3}, context_);
    ASSERT_OK(apart);
    EXPECT_LT(test::largestDifference(probsOf(*together).values(), probsOf(*apart).values()), 1e-6)
        << methodJson(method);
    for (const std::string& note : textsOf(together->meta.notes)) {
      EXPECT_THAT(note, Not(HasSubstr("its own pass")));
    }
    for (std::int64_t i = 0; i < together->itemCount(); ++i) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < 3; ++k) {
        sum += together->prob(i, k);
      }
      EXPECT_NEAR(sum, 1.0, 1e-5) << methodJson(method);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(UnusualNetworks, NetworksOfOtherNumbers,
                         testing::Values("double_scripted.pt", "double_traced.pt",
                                         "half_scripted.pt", "half_traced.pt",
                                         "bfloat16_scripted.pt", "bfloat16_traced.pt"),
                         [](const auto& test_case) {
                           const std::string name = test_case.param;
                           return name.substr(0, name.find('.'));
                         });

TEST_F(UnusualNetworks, OneOutputRunsAsTwoClasses) {
  const ModelPtr model = madeNetwork(
      folder_, "binary", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.dropout(torch.flatten(x, 1), 0.3, self.training)
    return torch.sigmoid(torch.linear(x, self.w, self.b)).squeeze(1)
)",
      {{"w", spreadNumbers({1, 36}, 0.0)}, {"b", spreadNumbers({1}, 1.0)}}, test::kSide);
  ASSERT_NE(model, nullptr);
  for (std::int64_t& label : test_->itemLabels()) {
    label %= 2;
  }
  const auto map = ran(model, MapOptions{});
  ASSERT_TRUE(map) << message(map);
  EXPECT_EQ(map->classCount(), 2);
  EXPECT_TRUE(noted(*map, "one output per item"));
  for (std::int64_t i = 0; i < map->itemCount(); ++i) {
    EXPECT_EQ(logitOf(*map, i, 0), 0.0);
    EXPECT_NEAR(map->prob(i, 1), 1.0 / (1.0 + std::exp(-logitOf(*map, i, 1))), 1e-7);
  }
  EXPECT_TRUE(evaluate(*map, {}, {}, context_)->accuracy.has_value());
  const auto draws = ran(model, McDropoutOptions{.draws = 20});
  ASSERT_TRUE(draws) << message(draws);
  for (const double information : draws->mutual_information->values()) {
    EXPECT_GT(information, 0.0);
  }
  const auto refused = fitted(model, with("kron", "probit"));
  EXPECT_THAT(message(refused), HasSubstr("one output"));
}

TEST_F(UnusualNetworks, MethodsActOnTheChosenTensor) {
  RunContext context;
  const std::string path = (test::sourceDir() / "tests/data/models/two_scores.pt").string();
  auto dataset = std::make_shared<ListDataset>(test::madeImages(20, 8));
  data_.fit = part(*std::make_unique<ListDataset>(test::madeImages(80, 8)), 20, 80, "fit");
  std::vector<dubito::Run> runs;
  for (const char* key : {"logits", "auxiliary"}) {
    const auto model = loadModel(path, {.metadata_path = {}, .output_key = key}, context);
    ASSERT_TRUE(model) << message(model);
    for (const MethodOptions& method : std::vector<MethodOptions>{
             MapOptions{}, McDropoutOptions{.draws = 10}, with("kron", "probit")}) {
      const auto ready = prepareMethod(
          **model, method, std::holds_alternative<LaplaceOptions>(method) ? data_ : MethodData(),
          {}, context);
      ASSERT_TRUE(ready) << message(ready);
      auto run = predict(**model, *dataset, *ready, {}, context);
      ASSERT_TRUE(run) << message(run);
      EXPECT_TRUE(noted(*run, std::string("'") + key + "'"));
      runs.push_back(*std::move(run));
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(test::largestDifference(probsOf(runs[i]).values(), probsOf(runs[i + 3]).values()),
              1e-3);
  }
}

TEST_F(UnusualNetworks, ASoftmaxOverAnotherAxisLeavesThemWithoutAHead) {
  // Two groups of two classes: the axis of the softmax is made after the last layer.
  const ModelPtr model = madeNetwork(
      folder_, "grouped", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.linear(torch.flatten(x, 1), self.w, self.b)
    return torch.reshape(torch.softmax(torch.reshape(x, [-1, 2, 2]), 2), [-1, 4]) * 0.5
)",
      {{"w", spreadNumbers({4, test::kSide * test::kSide}, 0.0)}, {"b", spreadNumbers({4}, 1.0)}},
      test::kSide);
  ASSERT_TRUE(model);
  EXPECT_FALSE(model->audit().head.found);
  EXPECT_THAT(model->audit().head.reason, HasSubstr("axis"));
  EXPECT_TRUE(ran(model, MapOptions{}));
}

}  // namespace
}  // namespace dubito
