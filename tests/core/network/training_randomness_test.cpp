// SPDX-License-Identifier: GPL-3.0-or-later
// What networks draw in training, however it is written: MC dropout must give the mean and variance
// of torch's own passes in training mode, or refuse by name.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/data/sources/array_dataset.h"
#include "core/methods/method_data.h"
#include "core/models/graph_torch.h"
#include "core/models/model_torch.h"
#include "core/predict/predict.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kItems = 5;
constexpr std::int64_t kInputs = 6;
constexpr std::int64_t kUnits = 12;
constexpr std::int64_t kClasses = 3;
constexpr std::int64_t kDraws = 3000;
constexpr std::int64_t kPasses = 6000;

/// A few lines between the hidden layer h and the last one, and the sites that they are.
struct Idiom {
  std::string name;
  std::string code;
  std::vector<std::string> ops;
  std::string mode = "follows training";
};

void PrintTo(const Idiom& idiom, std::ostream* out) {
  *out << idiom.name;
}

/// Lines under "if self.training:".
std::string inTraining(const std::string& lines) {
  return "    if self.training:\n        " + lines + "\n";
}

const std::vector<Idiom>& idioms() {
  static const std::vector<Idiom> all{
      {"MaskByComparison",
       inTraining("h = h * (torch.rand_like(h) > 0.4).to(h.dtype) / 0.6"),
       {"dropout by a mask"}},
      {"MaskOfProbabilities",
       inTraining("h = h * torch.bernoulli(torch.full_like(h, 0.6)) / 0.6"),
       {"dropout by a mask"}},
      {"MaskInPlace",
       inTraining("h = h * torch.empty_like(h).bernoulli_(0.6) / 0.6"),
       {"dropout by a mask"}},
      {"MaskInPlaceOfProbabilities",
       inTraining("h = h * torch.empty_like(h).bernoulli_(torch.sigmoid(h)) * 2.0"),
       {"aten::bernoulli_"}},
      {"MaskByWhere",
       inTraining("h = torch.where(torch.rand_like(h) < 0.3, torch.zeros_like(h), h)"),
       {"aten::rand_like"}},
      {"MaskByRounding",
       inTraining("h = h * torch.round(torch.rand_like(h))"),
       {"aten::rand_like"}},
      {"MaskOfChannels",
       inTraining("h = (h.view([-1, 4, 3]) * (torch.rand([h.size(0), 4, 1]) > 0.3)).flatten(1)"),
       {"aten::rand"}},
      {"GaussianNoise", inTraining("h = h + 0.5 * torch.randn_like(h)"), {"aten::randn_like"}},
      {"GaussianFactors",
       inTraining("h = h * (1 + 0.5 * torch.randn([h.size(0), h.size(1)]))"),
       {"aten::randn"}},
      {"NormalInPlace",
       inTraining("h = h + torch.zeros_like(h).normal_(0.1, 0.5)"),
       {"aten::normal_"}},
      {"NormalOfTensors",
       inTraining("h = torch.normal(h, 0.5 * torch.ones_like(h))"),
       {"aten::normal"}},
      {"UniformInPlace",
       inTraining("h = h * torch.empty_like(h).uniform_(0.5, 1.5)"),
       {"aten::uniform_"}},
      {"GumbelNoise",
       inTraining("h = h - 0.3 * torch.log(torch.empty_like(h).exponential_(1.0))"),
       {"aten::exponential_"}},
      {"LogNormal",
       inTraining("h = h * torch.empty_like(h).log_normal_(0.0, 0.5)"),
       {"aten::log_normal_"}},
      {"Geometric",
       inTraining("h = h * torch.empty_like(h).geometric_(0.6)"),
       {"aten::geometric_"}},
      {"Cauchy",
       inTraining("h = h + 0.02 * torch.empty_like(h).cauchy_(0.0, 1.0)"),
       {"aten::cauchy_"}},
      {"Integers", inTraining("h = h * torch.randint(0, 3, [h.size(0), 1])"), {"aten::randint"}},
      {"DropPathByFloor",
       inTraining("r = torch.floor(0.7 + torch.rand([h.size(0), 1]))\n        h = h / 0.7 * r"),
       {"stochastic depth"}},
      {"DropPathByFloorInPlace",
       inTraining(
           "r = 0.7 + torch.rand([h.size(0), 1])\n        r.floor_()\n        h = h.div(0.7) * r"),
       {"stochastic depth"}},
      {"DropPathUnscaled",
       inTraining("h = h * torch.empty([h.size(0), 1]).bernoulli_(0.7)"),
       {"aten::bernoulli_"}},
      {"DropPathBesideDropout",
       inTraining(
           "r = torch.empty([h.size(0), 1]).bernoulli_(0.7)\n        r.div_(0.7)\n        h = "
           "h * r") +
           "    h = torch.dropout(h, 0.2, self.training)\n",
       {"stochastic depth", "aten::dropout"}},
      {"DropPathOfDropout",
       "    h = torch.dropout(h, 0.2, self.training)\n" +
           inTraining(
               "r = torch.empty([h.size(0), 1]).bernoulli_(0.7)\n        r.div_(0.7)\n        "
               "h = h * r"),
       {"aten::dropout", "stochastic depth"}},
      {"DropPathOfDropoutInOneBranch",
       inTraining("h = torch.dropout(h, 0.2, True)\n        r = torch.empty([h.size(0), "
                  "1]).bernoulli_(0.7)\n        r.div_(0.7)\n        h = torch.dropout(h * r, 0.1, "
                  "True)"),
       {"aten::dropout", "stochastic depth", "aten::dropout"}},
      {"ResidualBranches",
       "    b = torch.dropout(torch.tanh(h), 0.2, self.training)\n" +
           inTraining(
               "r = torch.empty([h.size(0), 1]).bernoulli_(0.6)\n        r.div_(0.6)\n        "
               "b = b * r") +
           "    h = h + torch.dropout(b, 0.1, self.training)\n",
       {"aten::dropout", "stochastic depth", "aten::dropout"}},
      {"DropPathOfDropoutAtRateZero",
       "    h = torch.dropout(h, 0.0, self.training)\n" +
           inTraining(
               "r = torch.empty([h.size(0), 1]).bernoulli_(0.7)\n        r.div_(0.7)\n        "
               "h = h * r"),
       {"aten::dropout", "stochastic depth"}},
      {"DropoutOfDropout",
       "    h = torch.dropout(torch.dropout(h, 0.2, self.training), 0.3, self.training)\n",
       {"aten::dropout", "aten::dropout"}},
      {"ScaledInInference",
       "    if self.training:\n        h = h * torch.bernoulli(torch.full_like(h, 0.6))\n    "
       "else:\n  "
       "      h = h * 0.6\n",
       {"aten::bernoulli"}},
      {"NoiseAndDropoutInOneBranch",
       inTraining("h = torch.dropout(h, 0.3, True)\n        h = h + 0.3 * torch.randn_like(h)"),
       {"aten::dropout", "aten::randn_like"}},
      {"DropoutAndAFactor", inTraining("h = torch.dropout(h, 0.5, True) * 2"), {"aten::dropout"}},
      {"RandomSlopes", "    h = torch.rrelu(h - 0.5, 0.1, 0.9, self.training)\n", {"aten::rrelu"}},
      {"SigmaOfTheMode",
       "    sigma = 0.5 if self.training else 0.0\n    h = h + sigma * torch.randn_like(h)\n",
       {"aten::randn_like"}},
      {"AlphaOfTheMode",
       "    h = torch.add(h, torch.randn_like(h), alpha=0.5 if self.training else 0.0)\n",
       {"aten::randn_like"}},
      {"MaskBeforeTheBranch",
       "    mask = (torch.rand_like(h) < 0.6).to(h.dtype)\n" + inTraining("h = h * mask / 0.6"),
       {"dropout by a mask"}},
      {"ChoiceOfTheMask",
       "    mask = (torch.rand_like(h) < 0.6).to(h.dtype) / 0.6\n    m = mask if self.training "
       "else "
       "torch.ones_like(h)\n    h = h * m\n",
       {"aten::rand_like"}},
      {"ProbabilityOfTheMode",
       "    p = 0.6 if self.training else 1.0\n    h = h * torch.empty_like(h).bernoulli_(p)\n",
       {"aten::bernoulli_"}},
      {"ConditionOfTheBatch",
       "    if self.training and h.size(0) > 0:\n        h = h + 0.5 * torch.randn_like(h)\n",
       {"aten::randn_like"}},
      {"DropoutUnderAConditionOfTheBatch",
       "    if self.training and h.size(0) > 0:\n        h = torch.dropout(h, 0.4, True)\n",
       {"aten::dropout"}},
      {"BranchInABranch",
       "    if self.training:\n        h = h * 1.5\n        if self.training:\n            h = h + "
       "0.5 "
       "* torch.randn_like(h)\n",
       {"aten::randn_like"}},
      {"Loop",
       "    for i in range(3):\n        if self.training:\n            h = torch.relu(h + 0.3 * "
       "torch.randn_like(h) * torch.rand_like(h))\n",
       {"aten::randn_like, aten::rand_like"}},
      {"TokensAtRandom",
       inTraining("keep = torch.argsort(torch.rand_like(h), 1)[:, :8]\n        h = h * "
                  "torch.zeros_like(h).scatter(1, keep, 1.5)"),
       {"aten::rand_like"}},
      {"DropBlock",
       inTraining("s = torch.max_pool1d((torch.rand_like(h) < 0.1).to(h.dtype).unsqueeze(1), [3], "
                  "[1], [1]).squeeze(1)\n        h = h * (1 - s)"),
       {"aten::rand_like"}},
      {"WritesIntoAView",
       inTraining("h[:, :6].mul_((torch.rand_like(h[:, :6]) > 0.5).to(h.dtype))"),
       {"aten::rand_like"}},
      {"OverwritesUnits", inTraining("h[:, 3:6].uniform_(0.0, 2.0)"), {"aten::uniform_"}},
      {"NoiseOnTheInput",
       inTraining("h = torch.relu(torch.linear(x + 0.2 * torch.randn_like(x), self.w))"),
       {"aten::randn_like"}},
      {"ItemsOnTheSecondAxis",
       inTraining("t = h.view([-1, 4, 3]).transpose(0, 1)\n        t = t + 0.5 * "
                  "torch.randn_like(t)\n        h = t.transpose(0, 1).flatten(1)"),
       {"aten::randn_like"}},
      {"AsManyRowsAsItemsOnTheSecondAxis",
       inTraining("t = h.view([-1, 3, 4]).transpose(0, 1)\n        t = t + 0.5 * "
                  "torch.randn_like(t)\n        h = t.transpose(0, 1).flatten(1)"),
       {"aten::randn_like"}},
      {"SeveralRowsPerItem",
       inTraining("t = h.view([-1, 3])\n        t = t + 0.5 * torch.randn_like(t)\n        h = "
                  "t.view([-1, 12])"),
       {"aten::randn_like"}},
      {"ThresholdOfTheMode",
       "    h = h * (torch.rand_like(h) < (0.6 if self.training else 1.5)).to(h.dtype)\n",
       {"aten::rand_like"}},
      {"KeepRateOfTheMode",
       "    keep = 1.0 - 0.4 * float(self.training)\n    h = h / keep * torch.floor(keep + "
       "torch.rand([h.size(0), 1]))\n",
       {"stochastic depth"}},
      {"ScaleOfTheMode",
       "    keep = 0.6 if self.training else 1.0\n    scale = 1.0 / keep\n    mask = "
       "torch.rand_like(h) < keep\n    h = torch.where(mask, h * scale, torch.zeros_like(h))\n    "
       "h = "
       "h * (2.0 - keep)\n",
       {"aten::rand_like"}},
      {"NotInInference",
       "    if not self.training:\n        h = h + 0.0\n    else:\n        h = h + 0.5 * "
       "torch.randn_like(h)\n",
       {"aten::randn_like"}},
      {"DropoutOfOnes",
       "    h = h * torch.dropout(torch.ones([h.size(0), 1]), 0.3, self.training)\n",
       {"aten::dropout"}},
      {"MaskMadeOnceForALoop",
       "    mask = torch.ones_like(h)\n" +
           inTraining("mask = torch.empty_like(h).bernoulli_(0.7)") +
           "    for i in range(2):\n        h = torch.tanh(h * mask) * 1.5\n",
       {"aten::bernoulli_"}},
      {"NormalOfNumbers", inTraining("h = h + torch.normal(0.1, 0.5, h.size())"), {"aten::normal"}},
      {"MaskOfARate", inTraining("h = torch.bernoulli(h, 0.5) * h * 2"), {"aten::bernoulli"}},
      {"IntegersLike", inTraining("h = h * torch.randint_like(h, 0, 3)"), {"aten::randint_like"}},
      {"IntegersInPlace",
       inTraining("h = h * torch.empty_like(h).random_(0, 3)"),
       {"aten::random_"}},
      {"MaskOfBools",
       inTraining("b = torch.empty(h.size(), dtype=11).bernoulli_(0.3)\n        h = "
                  "h.masked_fill(b, 0.0)"),
       {"aten::bernoulli_"}},
      {"FractionalPooling",
       inTraining("t = torch.cat([h, h.flip(1)], 1).view([-1, 1, 4, 6])\n        h = "
                  "torch.fractional_max_pool2d(t, [2, 2], [3, 4], torch.rand([h.size(0), 1, "
                  "2]))[0].flatten(1)"),
       {"aten::rand"}},
      {"TwoBranches",
       inTraining("h = h + 0.3 * torch.randn_like(h)") +
           inTraining("h = h * (1 + 0.3 * torch.randn_like(h))"),
       {"aten::randn_like", "aten::randn_like"}},
      {"LoopInALoop",
       "    for i in range(2):\n        for j in range(2):\n            if self.training:\n        "
       "     "
       "   h = torch.relu(h + 0.2 * torch.randn_like(h))\n",
       {"aten::randn_like"}},
      {"NoiseInEveryPass",
       "    h = h + 0.5 * torch.randn_like(h)\n",
       {"aten::randn_like"},
       "always on"},
      {"NoiseInEveryPassBesideDropout",
       "    h = torch.dropout(h + 0.5 * torch.randn_like(h), 0.2, self.training)\n",
       {"aten::dropout", "aten::randn_like"},
       ""},
      {"MaskByFloorInEveryPass",
       "    h = h / 0.7 * torch.floor(0.7 + torch.rand_like(h))\n",
       {"dropout by a mask"},
       "always on"},
      {"PathsWhoseMaskIsReadTwice",
       "    r = torch.floor(0.7 + torch.rand([h.size(0), 1]))\n    h = h / 0.7 * r + 0.1 * r\n",
       {"aten::rand"},
       "always on"}};
  return all;
}

/// Stochastic depth without a branch on the mode, as traces and exports in training mode have it.
const std::vector<Idiom>& tracedDepths() {
  static const auto all = [] {
    const std::string noise = "torch.rand([h.size(0), 1])";
    std::vector<Idiom> depths{
        {"Bernoulli", "    h = h * (torch.empty([h.size(0), 1]).bernoulli_(0.7) / 0.7)\n", {}},
        {"Floor", "    h = h.div(0.7) * torch.floor(0.7 + " + noise + ")\n", {}},
        {"FloorInPlace",
         "    r = 0.7 + " + noise + "\n    r.floor_()\n    h = h.div(0.7) * r\n",
         {}},
        {"SumAndFloorInPlace",
         "    r = " + noise + ".add_(0.7).floor_()\n    h = r * h.div(0.7)\n",
         {}},
        {"KeepRateIsATensor",
         "    h = h.div(self.keep) * torch.floor(self.keep + " + noise + ")\n",
         {}},
        {"NoiseIsScaled", "    h = h * (torch.floor(0.7 + " + noise + ") / 0.7)\n", {}},
        {"ProductIsScaled", "    h = h * torch.floor(0.7 + " + noise + ") / 0.7\n", {}},
        {"ProductOfBernoulliIsScaled",
         "    h = h * torch.empty([h.size(0), 1]).bernoulli_(0.7) / 0.7\n",
         {}},
        {"Unscaled", "    h = h * torch.floor(0.7 + " + noise + ")\n", {}},
        {"UnscaledBernoulli", "    h = h * torch.empty([h.size(0), 1]).bernoulli_(0.7)\n", {}},
        {"UniformInPlace",
         "    h = h / 0.7 * torch.floor(torch.empty([h.size(0), 1]).uniform_(0.0, 1.0) + 0.7)\n",
         {}},
        {"NumbersLikeZeros",
         "    h = h / 0.7 * torch.floor(torch.rand_like(torch.zeros([h.size(0), 1])) + 0.7)\n",
         {}},
        {"OfThreeAxes",
         "    h = h.view([-1, 4, 3])\n    h = (h.div(0.7) * torch.floor(0.7 + "
         "torch.rand([h.size(0), 1, 1]))).flatten(1)\n",
         {}}};
    for (Idiom& depth : depths) {
      depth.ops = {"stochastic depth"};
      depth.mode = "always on";
    }
    return depths;
  }();
  return all;
}

at::Tensor numbers(std::vector<std::int64_t> shape, double step) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return at::sin(step * at::arange(1, count + 1, at::kDouble)).to(at::kFloat).view(shape);
}

at::Tensor inputs() {
  return (numbers({kItems, kInputs}, 2.1) + 1.0) / 2.0;
}

torch::jit::Module moduleOf(const std::string& code,
                            const std::string& output = "    return torch.linear(h, self.head)\n") {
  torch::jit::Module module("network");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("w", numbers({kUnits, kInputs}, 0.7), false);
  module.register_parameter("head", numbers({kClasses, kUnits}, 1.3), false);
  module.register_buffer("calls", at::zeros({1}));
  module.register_buffer("keep", at::scalar_tensor(0.7, at::kDouble));
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n    h = torch.relu(torch.linear(x, self.w))\n" +
      code + output);
  return module;
}

class TrainingRandomness : public testing::Test {
 protected:
  ModelPtr load(torch::jit::Module module) {
    module.eval();
    const std::string path = folder_.file("network.pt");
    module.save(path, {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
    RunContext context;
    auto model = loadModel(path, {}, context);
    EXPECT_OK(model);
    return model ? *model : nullptr;
  }

  static Expected<dubito::Run> run(const ModelPtr& model, const MethodOptions& method,
                                   std::int64_t batch = kItems) {
    const at::Tensor x = inputs();
    const float* const data = x.const_data_ptr<float>();
    const ArrayDataset items(
        {}, Array<float>::fromVector({kItems, kInputs}, std::vector<float>(data, data + x.numel())),
        std::vector<std::int64_t>(kItems, -1));
    RunContext context;
    context.seed = 5;
    return predict(*model, items, method, {.batch = batch}, context);
  }

  static McDropoutOptions dropout(std::int64_t draws) {
    McDropoutOptions options;
    options.draws = draws;
    options.insert = "never";
    return options;
  }

  test::TempDir folder_;
};

class TrainingIdioms : public TrainingRandomness, public testing::WithParamInterface<Idiom> {};

TEST_P(TrainingIdioms, AreListedAsSites) {
  const ModelPtr model = load(moduleOf(GetParam().code));
  ASSERT_TRUE(model);
  std::vector<std::string> ops;
  for (const DropoutSite& site : model->audit().dropout_sites) {
    ops.push_back(site.op);
    EXPECT_EQ(site.refused, "");
    if (!GetParam().mode.empty()) {
      EXPECT_EQ(site.mode, GetParam().mode);
    }
  }
  EXPECT_EQ(ops, GetParam().ops);
  for (const std::string& note : textsOf(model->audit().notes)) {
    EXPECT_THAT(note, testing::Not(HasSubstr("no dropout")));
  }
}

/// Mean and variance of each class within five standard errors of those of torch's own passes.
TEST_P(TrainingIdioms, HaveMeanAndVarianceOfTrainingMode) {
  torch::jit::Module module = moduleOf(GetParam().code);
  const ModelPtr model = load(module.deepcopy());
  ASSERT_TRUE(model);
  const auto drawn = run(model, dropout(kDraws));
  ASSERT_OK(drawn);
  ASSERT_TRUE(drawn->samples);
  at::manual_seed(1);
  module.train();
  const at::NoGradGuard no_gradients;
  const at::Tensor rows = inputs().repeat({kPasses, 1});
  const at::Tensor passes = at::softmax(module.forward({rows}).toTensor().to(at::kDouble), 1)
                                .view({kPasses, kItems, kClasses});
  const at::Tensor samples =
      at::from_blob(const_cast<float*>(drawn->samples->data()), {kDraws, kItems, kClasses})
          .to(at::kDouble);
  constexpr double kErrors = 5.0;
  const auto momentsOf = [](const at::Tensor& draws) {
    const auto count = static_cast<double>(draws.size(0));
    const at::Tensor mean = draws.mean(0);
    const at::Tensor squares = at::square(draws - mean);
    return std::array<at::Tensor, 4>{mean, squares.mean(0) / count, squares.mean(0),
                                     at::square(squares - squares.mean(0)).mean(0) / count};
  };
  const auto ours = momentsOf(samples);
  const auto theirs = momentsOf(passes);
  for (const std::size_t moment : {0U, 2U}) {
    const at::Tensor error = at::sqrt(ours.at(moment + 1) + theirs.at(moment + 1)) + 1e-7;
    const double largest =
        (at::abs(ours.at(moment) - theirs.at(moment)) / error).max().item().toDouble();
    EXPECT_LT(largest, kErrors) << (moment == 0 ? "mean" : "variance");
  }
  EXPECT_GT(ours[2].max().item().toDouble(), 1e-5);
}

TEST_P(TrainingIdioms, DrawTheSameForAnyBatch) {
  const ModelPtr model = load(moduleOf(GetParam().code));
  ASSERT_TRUE(model);
  const auto together = run(model, dropout(20));
  ASSERT_OK(together);
  for (const std::int64_t batch : {1, 2}) {
    const auto apart = run(model, dropout(20), batch);
    ASSERT_OK(apart);
    for (std::int64_t i = 0; i < together->samples->size(); ++i) {
      ASSERT_NEAR(together->samples->data()[i], apart->samples->data()[i], 1e-6) << batch;
    }
    ASSERT_EQ(together->meta.mask_hashes.size(), apart->meta.mask_hashes.size());
    for (std::size_t i = 0; i < apart->meta.mask_hashes.size(); ++i) {
      EXPECT_EQ(together->meta.mask_hashes[i].hash, apart->meta.mask_hashes[i].hash);
    }
  }
}

TEST_P(TrainingIdioms, AreOffInInference) {
  if (GetParam().mode != "follows training") {
    GTEST_SKIP() << "the network draws in inference too";
  }
  torch::jit::Module module = moduleOf(GetParam().code);
  const ModelPtr model = load(module.deepcopy());
  ASSERT_TRUE(model);
  EXPECT_EQ(model->audit().unrepeatable, "");
  const auto map = run(model, MapOptions());
  ASSERT_OK(map);
  module.eval();
  const at::NoGradGuard no_gradients;
  const at::Tensor expected = at::softmax(module.forward({inputs()}).toTensor(), 1);
  for (std::int64_t item = 0; item < kItems; ++item) {
    for (std::int64_t k = 0; k < kClasses; ++k) {
      EXPECT_NEAR(map->prob(item, k), expected[item][k].item().toDouble(), 1e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Inference, TrainingIdioms, testing::ValuesIn(idioms()),
                         [](const auto& test_case) { return test_case.param.name; });
INSTANTIATE_TEST_SUITE_P(TracedDepth, TrainingIdioms, testing::ValuesIn(tracedDepths()),
                         [](const auto& test_case) { return test_case.param.name; });

at::Tensor rowsOf(const dubito::Run& run) {
  at::Tensor probabilities = at::empty({kItems, kClasses}, at::kDouble);
  for (std::int64_t item = 0; item < kItems; ++item) {
    for (std::int64_t k = 0; k < kClasses; ++k) {
      probabilities[item][k] = run.prob(item, k);
    }
  }
  return probabilities;
}

class TracedDepth : public TrainingRandomness {
 protected:
  void expectInferenceWithout(const std::string& code, const std::string& depth) {
    const ModelPtr model = load(moduleOf(code + depth));
    ASSERT_TRUE(model);
    ASSERT_EQ(model->audit().dropout_sites.size(), 1U);
    EXPECT_EQ(model->audit().dropout_sites[0].drop_rate, 0.3);
    EXPECT_EQ(model->audit().unrepeatable, "");
    const auto map = run(model, MapOptions());
    ASSERT_OK(map);
    const at::NoGradGuard no_gradients;
    const at::Tensor rows = moduleOf(code).forward({inputs()}).toTensor();
    EXPECT_TRUE(at::allclose(rowsOf(*map), at::softmax(rows, 1).to(at::kDouble), 0, 1e-6));
  }
};

class TracedDepths : public TracedDepth, public testing::WithParamInterface<Idiom> {};

/// As in the network that the file was traced from, after model.eval().
TEST_P(TracedDepths, AreOffInInference) {
  expectInferenceWithout("", GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(Inference, TracedDepths, testing::ValuesIn(tracedDepths()),
                         [](const auto& test_case) { return test_case.param.name; });

TEST_F(TracedDepth, OfTheWholeBatchAreOffInInference) {
  expectInferenceWithout("", "    h = h.div(0.7) * torch.floor(0.7 + torch.rand([1, 1]))\n");
}

/// Another rate of the mask than of the division: what is kept is not scaled by it.
TEST_F(TracedDepth, KeepADivisionByAnotherNumber) {
  expectInferenceWithout("    h = h / 0.5\n",
                         "    h = h * torch.floor(0.7 + torch.rand([h.size(0), 1]))\n");
}

/// What is written into x after the division does not reach the branch, nor what is written into
/// the result x.
TEST_F(TracedDepth, ShareNoMemoryWithTheirInput) {
  const std::string noise = "torch.floor(0.7 + torch.rand([h.size(0), 1]))\n";
  for (const auto& [code, without] :
       {std::pair{"    b = h.div(0.7)\n    h.add_(1.0)\n    h = h + b * " + noise,
                  "    b = h + 0.0\n    h.add_(1.0)\n    h = h + b\n"},
        std::pair{"    b = h.div(0.7) * " + noise + "    b.add_(1.0)\n    h = h * b\n",
                  "    b = h + 1.0\n    h = h * b\n"},
        std::pair{"    v = h.view([-1, 12])\n    b = v * (" + noise.substr(0, noise.size() - 1) +
                      " / 0.7)\n    h.mul_(2.0)\n    h = h * b\n",
                  "    h = 2.0 * h * h\n"}}) {
    const ModelPtr model = load(moduleOf(code));
    ASSERT_TRUE(model);
    EXPECT_EQ(model->audit().unrepeatable, "") << code;
    const auto map = run(model, MapOptions());
    ASSERT_OK(map);
    const at::NoGradGuard no_gradients;
    const at::Tensor rows = moduleOf(without).forward({inputs()}).toTensor();
    EXPECT_TRUE(at::allclose(rowsOf(*map), at::softmax(rows, 1).to(at::kDouble), 0, 1e-6)) << code;
  }
}

/// A rate that the user sets leaves kept items unscaled.
TEST_F(TracedDepth, AreUnscaledAtAnyRate) {
  const ModelPtr model =
      load(moduleOf("    h = h * torch.floor(0.7 + torch.rand([h.size(0), 1]))\n"));
  ASSERT_TRUE(model);
  McDropoutOptions options = dropout(200);
  options.drop_rate = 0.5;
  const auto drawn = run(model, options);
  ASSERT_OK(drawn);
  const auto map = run(model, MapOptions());
  ASSERT_OK(map);
  const at::Tensor kept = rowsOf(*map);
  const at::Tensor samples =
      at::from_blob(const_cast<float*>(drawn->samples->data()), {200, kItems, kClasses})
          .to(at::kDouble);
  const at::Tensor is_kept = at::abs(samples - kept).amax(2) < 1e-5;
  const at::Tensor is_dropped = at::abs(samples - 1.0 / kClasses).amax(2) < 1e-5;
  EXPECT_TRUE(at::logical_or(is_kept, is_dropped).all().item().toBool());
  EXPECT_NEAR(is_dropped.to(at::kDouble).mean().item().toDouble(), 0.5, 0.08);  // 5 errors
}

/// What cannot be drawn for each item by itself, and the operator that the refusal must name.
const std::vector<Idiom>& refusedIdioms() {
  static const std::vector<Idiom> all{
      {"ShuffledUnits", inTraining("h = h[:, torch.randperm(12)]"), {"aten::randperm"}},
      {"Multinomial", inTraining("h = h * torch.multinomial(h + 0.1, 12)"), {"aten::multinomial"}},
      {"Poisson", inTraining("h = torch.poisson(h)"), {"aten::poisson"}},
      {"NoisyWeights",
       inTraining("h = torch.relu(torch.linear(x, self.w + 0.3 * torch.randn_like(self.w)))"),
       {"aten::randn_like"}},
      {"OneNumberOfThree", inTraining("h = h * torch.rand([3])[0]"), {"aten::rand"}},
      {"LayerLeftOutForAll",
       inTraining("if bool(torch.rand([1]) < 0.5):\n            h = h * 2.0"),
       {"aten::rand"}},
      {"ASingleNumber", inTraining("h = h * torch.rand([])"), {"aten::rand"}},
      {"ShuffledBesideDropout",
       inTraining("h = h[:, torch.randperm(12)]") +
           "    h = torch.dropout(h, 0.3, self.training)\n",
       {"aten::randperm"}},
      {"ShuffledWithDropout",
       inTraining("h = torch.dropout(h, 0.3, True)\n        h = h[:, torch.randperm(12)]"),
       {"aten::randperm"}},
      {"CountsItsCalls",
       inTraining("self.calls.add_(1.0)\n        h = h + torch.randn_like(h)"),
       {"calls"}}};
  return all;
}

class RefusedIdioms : public TrainingRandomness, public testing::WithParamInterface<Idiom> {};

TEST_P(RefusedIdioms, AreNamedAndLeftOffOnlyByChoice) {
  const std::string named = GetParam().ops.front();
  const ModelPtr model = load(moduleOf(GetParam().code));
  ASSERT_TRUE(model);
  ASSERT_FALSE(model->audit().dropout_sites.empty());
  const auto refused = run(model, dropout(10));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(named));
  EXPECT_THAT(refused.error().message, HasSubstr("leave that off, or name the sites to use"));
  EXPECT_THAT(refused.error().remedy.settings,
              testing::ElementsAre(setting("unusable", "off"), setting("sites")));
  for (const std::string& note : textsOf(model->audit().notes)) {
    EXPECT_THAT(note, testing::Not(HasSubstr("no dropout")));
  }
  McDropoutOptions by_choice = dropout(10);
  by_choice.unusable = "off";
  by_choice.insert = "always";
  const auto left_off = run(model, by_choice);
  ASSERT_OK(left_off);
  EXPECT_TRUE(std::ranges::any_of(textsOf(left_off->meta.notes), [&](const std::string& note) {
    return note.find(named) != std::string::npos && note.find("stays off") != std::string::npos;
  }));
}

INSTANTIATE_TEST_SUITE_P(Inference, RefusedIdioms, testing::ValuesIn(refusedIdioms()),
                         [](const auto& test_case) { return test_case.param.name; });

/// A training branch that leaves out the softmax would give other numbers than probabilities.
TEST_F(TrainingRandomness, RefusesABranchWithAnotherKindOfOutput) {
  torch::jit::Module module("network");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("w", numbers({kUnits, kInputs}, 0.7), false);
  module.register_parameter("head", numbers({kClasses, kUnits}, 1.3), false);
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    h = torch.relu(torch.linear(x, self.w))\n"
      "    if self.training:\n"
      "        y = torch.linear(h + torch.randn_like(h), self.head)\n"
      "    else:\n"
      "        y = torch.softmax(torch.linear(h, self.head), 1)\n"
      "    return y\n");
  module.eval();
  module.save(folder_.file("kinds.pt"), {{"metadata.json", R"({"input_size": [6]})"}});
  RunContext context;
  const auto model = loadModel(folder_.file("kinds.pt"), {}, context);
  ASSERT_OK(model);
  ASSERT_EQ((*model)->audit().output, OutputKind::kProbabilities);
  ASSERT_EQ((*model)->audit().dropout_sites.size(), 1U);
  EXPECT_THAT((*model)->audit().dropout_sites[0].refused, HasSubstr("another kind of output"));
}

/// What else differs between the modes stays as in inference, and the run says so.
TEST_F(TrainingRandomness, SaysWhatElseTrainingChanges) {
  const std::string noise = inTraining("h = h + 0.5 * torch.randn_like(h)");
  const auto saysSo = [](const dubito::Run& run) {
    return std::ranges::any_of(textsOf(run.meta.notes), [](const std::string& note) {
      return note.find("also changes other parts") != std::string::npos;
    });
  };
  for (const std::string scaling :
       {"    h = h * (0.5 if self.training else 1.0)\n",
        "    if self.training:\n        h = h * 2\n",
        "    if not self.training:\n        h = torch.softmax(h, 1)\n"}) {
    const auto scaled = run(load(moduleOf(noise + scaling)), dropout(5));
    ASSERT_OK(scaled);
    EXPECT_TRUE(saysSo(*scaled)) << scaling;
  }
  for (const Idiom& idiom : idioms()) {
    const auto plain = run(load(moduleOf(idiom.code)), dropout(5));
    ASSERT_OK(plain);
    EXPECT_FALSE(saysSo(*plain)) << idiom.name;
  }
}

/// A number for the whole batch is one for each item: what an item alone would get.
TEST_F(TrainingRandomness, DrawsPerItemWhatIsDrawnPerBatch) {
  const auto samplesOf = [this](const std::string& rows) {
    const auto drawn = run(load(moduleOf(inTraining("h = h * (torch.rand([" + rows +
                                                    ", 1]) > 0.3).to(h.dtype) / 0.7"))),
                           dropout(30));
    EXPECT_OK(drawn);
    return drawn ? drawn->samples : std::nullopt;
  };
  const auto per_batch = samplesOf("1");
  const auto per_item = samplesOf("h.size(0)");
  ASSERT_TRUE(per_batch && per_item);
  for (std::int64_t i = 0; i < per_item->size(); ++i) {
    ASSERT_EQ(per_batch->data()[i], per_item->data()[i]);
  }
}

TEST_F(TrainingRandomness, ChoosesSitesOneByOne) {
  const ModelPtr model = load(moduleOf("    h = torch.dropout(h, 0.3, self.training)\n" +
                                       inTraining("h = h + 0.5 * torch.randn_like(h)")));
  ASSERT_TRUE(model);
  const auto varianceWith = [&](std::vector<std::int64_t> sites) {
    McDropoutOptions options = dropout(400);
    options.sites = std::move(sites);
    const auto drawn = run(model, options);
    EXPECT_OK(drawn);
    return drawn ? drawn->variance->data()[0] : 0.0F;
  };
  const double both = varianceWith({});
  const double masks = varianceWith({0});
  const double noise = varianceWith({1});
  EXPECT_GT(masks, 0.0F);
  EXPECT_GT(noise, 0.0F);
  EXPECT_GT(both, std::max(masks, noise));
  EXPECT_NEAR(both, varianceWith({0, 1}), 1e-5);
}

TEST_F(TrainingRandomness, SwitchesOnWhatSharesABranch) {
  const ModelPtr model = load(moduleOf(
      inTraining("h = torch.dropout(h, 0.3, True)\n        h = h + 0.3 * torch.randn_like(h)")));
  ASSERT_TRUE(model);
  McDropoutOptions options = dropout(20);
  options.sites = {0};
  const auto drawn = run(model, options);
  ASSERT_OK(drawn);
  EXPECT_TRUE(std::ranges::any_of(textsOf(drawn->meta.notes), [](const std::string& note) {
    return note.find("is on as well") != std::string::npos;
  }));
  const auto all = run(model, dropout(20));
  ASSERT_OK(all);
  for (std::int64_t i = 0; i < all->samples->size(); ++i) {
    ASSERT_EQ(drawn->samples->data()[i], all->samples->data()[i]);
  }
}

/// "dropout(x, 0.9, False)" in scripted code is a decision; in a trace it only says eval mode.
TEST_F(TrainingRandomness, LeavesOffWhatTheProgramSwitchesOff) {
  const ModelPtr model = load(moduleOf(
      "    h = torch.dropout(h, 0.9, False)\n    h = torch.dropout(h, 0.3, self.training)\n"));
  ASSERT_TRUE(model);
  const std::vector<DropoutSite>& sites = model->audit().dropout_sites;
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_THAT(sites[0].off, HasSubstr("switches it off"));
  EXPECT_EQ(sites[1].off, "");
  const auto by_default = run(model, dropout(400));
  ASSERT_OK(by_default);
  EXPECT_TRUE(std::ranges::any_of(textsOf(by_default->meta.notes), [](const std::string& note) {
    return note.find("site 0") != std::string::npos && note.find("stays off") != std::string::npos;
  }));
  const ModelPtr alone = load(moduleOf("    h = torch.dropout(h, 0.3, self.training)\n"));
  const auto expected = run(alone, dropout(400));
  ASSERT_OK(expected);
  EXPECT_NEAR(by_default->variance->data()[0], expected->variance->data()[0],
              0.3 * double{expected->variance->data()[0]});
  McDropoutOptions chosen = dropout(400);
  chosen.sites = {0, 1};
  const auto with_both = run(model, chosen);
  ASSERT_OK(with_both);
  EXPECT_GT(with_both->variance->data()[0], 2.0F * by_default->variance->data()[0]);
  // As a trace in eval mode writes it: nothing in the program reads the mode.
  const ModelPtr traced = load(moduleOf("    h = torch.dropout(h, 0.3, False)\n"));
  ASSERT_TRUE(traced);
  EXPECT_EQ(traced->audit().dropout_sites.at(0).off, "");
}

}  // namespace
}  // namespace dubito
