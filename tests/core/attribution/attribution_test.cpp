// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attribution/attribute.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attribution/attribution_methods.h"
#include "core/base/sample_files.h"
#include "core/models/model_torch.h"
#include "tests/core/network/list_dataset.h"
#include "tests/core/network/made_network.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr int kSide = 6;
constexpr std::int64_t kPixels = std::int64_t{kSide} * kSide;

class Attributions : public testing::Test {
 protected:
  ModelPtr made(const std::string& name, const std::string& forward, at::Tensor weights) {
    return test::madeNetwork(folder_, name, "\ndef forward(self, x: Tensor) -> Tensor:\n" + forward,
                             {{"w", std::move(weights)}}, kSide);
  }
  Expected<Attribution> attributed(const Model& model, const std::string& method,
                                   const AttributionOptions& options = {}) {
    AttributionOptions chosen = options;
    chosen.method = method;
    return attribute(model, dataset_, 1, MapOptions(), {.class_number = 1}, chosen, context_);
  }

  test::TempDir folder_;
  test::ListDataset dataset_ = test::madeImages(3, kSide);
  RunContext context_;
};

/// Opposite rows: the mean of the logits is 0, and centring changes nothing.
TEST_F(Attributions, GradientTimesInputOfALinearNetworkIsWeightTimesPixel) {
  const at::Tensor row = test::spreadNumbers({1, kPixels}, 0.0);
  const ModelPtr model = made("linear", "    return torch.linear(torch.flatten(x, 1), self.w)\n",
                              at::cat({-row, row}));
  ASSERT_NE(model, nullptr);
  const auto found = attributed(*model, "gradient-input");
  ASSERT_OK(found);
  const auto input = preprocess(*dataset_.read(1), model->metadata().preprocessing).value();
  const at::Tensor weights = row.to(at::kFloat).contiguous();
  for (std::size_t i = 0; i < static_cast<std::size_t>(kPixels); ++i) {
    const double product = double{weights.const_data_ptr<float>()[i]} * double{input.values()[i]};
    EXPECT_EQ(found->map.values()[i], static_cast<float>(product)) << i;
  }
  // A linear network is its own tangent: the sum is the difference of the outputs.
  EXPECT_NEAR(found->sum, found->difference, 1e-5);
}

TEST_F(Attributions, OcclusionFindsThePatchOnWhichTheAnswerDepends) {
  at::Tensor weights = at::zeros({2, kSide, kSide});
  weights[1].slice(0, 2, 4).slice(1, 0, 2).fill_(1.0);
  const ModelPtr model = made("patch", "    return torch.linear(torch.flatten(x, 1), self.w)\n",
                              weights.view({2, kPixels}));
  ASSERT_NE(model, nullptr);
  const auto found =
      attributed(*model, "occlusion", {.window = 2.0 / kSide, .stride = 2.0 / kSide});
  ASSERT_OK(found);
  const auto input = preprocess(*dataset_.read(1), model->metadata().preprocessing).value();
  double in_patch = 0.0;
  for (std::int64_t row = 2; row < 4; ++row) {
    for (std::int64_t column = 0; column < 2; ++column) {
      in_patch += double{input.values()[static_cast<std::size_t>(row * kSide + column)]};
    }
  }
  for (std::int64_t row = 0; row < kSide; ++row) {
    for (std::int64_t column = 0; column < kSide; ++column) {
      const bool is_in_patch = row >= 2 && row < 4 && column < 2;
      // Centring halves the only logit that is not 0.
      EXPECT_NEAR(found->map.row(row)[static_cast<std::size_t>(column)],
                  is_in_patch ? in_patch / 2.0 : 0.0, 1e-6)
          << row << ", " << column;
    }
  }
}

TEST_F(Attributions, OfTheDemoNetworkAreComplete) {
  const auto path = findSampleFile("lenet-mnist.pt");
  const auto images = findSampleFile("mnist-2000-images-idx3-ubyte.gz");
  const auto labels = findSampleFile("mnist-2000-labels-idx1-ubyte.gz");
  ASSERT_TRUE(path && images && labels);
  const auto model = loadModel(*path, {}, context_);
  ASSERT_OK(model);
  const auto digits = openDataset("idx:" + *images + "," + *labels, context_);
  ASSERT_OK(digits);
  for (std::int64_t item = 0; item < 10; ++item) {
    const AttributionTarget target{.class_number =
                                       (*digits)->labels()[static_cast<std::size_t>(item)]};
    const auto found = attribute(**model, **digits, item, MapOptions(), target, {}, context_);
    ASSERT_OK(found);
    EXPECT_EQ(found->method, "integrated-gradients");
    ASSERT_TRUE(found->completeness_gap);
    EXPECT_LT(*found->completeness_gap, 0.01) << item;
    const double sum = std::accumulate(found->map.values().begin(), found->map.values().end(), 0.0);
    EXPECT_NEAR(sum, found->difference, 0.01 * std::abs(found->difference)) << item;
  }
}

TEST_F(Attributions, ClassProbabilitiesGiveTheSameMapAsTheirLogits) {
  const at::Tensor weights = test::spreadNumbers({3, kPixels}, 1.0);
  const ModelPtr logits =
      made("logits", "    return torch.linear(torch.flatten(x, 1), self.w)\n", weights);
  const ModelPtr probs = made(
      "probs", "    return torch.softmax(torch.linear(torch.flatten(x, 1), self.w), 1)\n", weights);
  ASSERT_TRUE(logits && probs);
  ASSERT_EQ(probs->audit().output, OutputKind::kProbabilities);
  const auto of_logits = attributed(*logits, "integrated-gradients");
  const auto of_probs = attributed(*probs, "integrated-gradients");
  ASSERT_OK(of_logits);
  ASSERT_OK(of_probs);
  for (std::size_t i = 0; i < static_cast<std::size_t>(kPixels); ++i) {
    EXPECT_NEAR(of_probs->map.values()[i], of_logits->map.values()[i], 1e-4) << i;
  }
}

TEST_F(Attributions, NetworksWithoutGradientsAreExplainedByOcclusion) {
  const at::Tensor weights = test::spreadNumbers({3, kPixels}, 1.0);
  struct Case {
    std::string name, forward, op;
  };
  for (const Case& without :
       {Case{"detached", "    return torch.linear(torch.flatten(x.detach(), 1), self.w)\n",
             "aten::detach"},
        Case{"rounded", "    return torch.linear(torch.round(torch.flatten(x, 1) * 8.0), self.w)\n",
             "aten::round"}}) {
    const ModelPtr model = made(without.name, without.forward, weights);
    ASSERT_NE(model, nullptr);
    for (const char* method : {"integrated-gradients", "gradient-input"}) {
      const auto found = attributed(*model, method);
      ASSERT_OK(found);
      EXPECT_EQ(found->method, "occlusion") << without.name;
      ASSERT_EQ(found->notes.size(), 1U) << without.name;
      EXPECT_THAT(found->notes[0], HasSubstr(without.op));
      EXPECT_FALSE(found->completeness_gap);
      EXPECT_TRUE(
          std::ranges::equal(found->map.values(), attributed(*model, "occlusion")->map.values()));
    }
  }
  const ModelPtr quantised = test::loadFixture("quantised.pt");
  ASSERT_NE(quantised, nullptr);
  const test::ListDataset images = test::madeImages(1, 8);
  const auto found = attribute(*quantised, images, 0, MapOptions(), {}, {}, context_);
  ASSERT_OK(found);
  EXPECT_EQ(found->method, "occlusion");
  EXPECT_THAT(found->notes.at(0), HasSubstr("quantized::"));
}

TEST_F(Attributions, WorkForNetworksOfEveryFormatAndLeaveThemUnchanged) {
  for (const char* name : {"scripted.pt", "traced_eval.pt", "frozen.pt", "scripted_in_place.pt",
                           "transformer_scripted.pt", "gru_scripted.pt", "exported/plain.pt2"}) {
    const ModelPtr model = test::loadFixture(name);
    ASSERT_NE(model, nullptr) << name;
    ASSERT_EQ(model->audit().input_shape.size(), 3U) << name;
    const test::ListDataset images = test::madeImages(1, model->audit().input_shape[1]);
    const std::uint64_t before = stateHash(model->impl().module);
    const auto gradients = [&model] {
      std::vector<bool> flags;
      for (const at::Tensor& parameter : model->impl().module.parameters()) {
        flags.push_back(parameter.requires_grad());
        EXPECT_FALSE(parameter.grad().defined());
      }
      return flags;
    };
    const std::vector<bool> flags = gradients();
    for (const AttributionMethod& method : allAttributionMethods()) {
      AttributionOptions options;
      options.method = method.key;
      const auto found = attribute(*model, images, 0, MapOptions(), {}, options, context_);
      ASSERT_OK(found) << name;
      EXPECT_EQ(found->method, method.key) << name;
      EXPECT_TRUE(std::ranges::any_of(found->map.values(), [](float v) { return v != 0.0F; }))
          << name << ", " << method.key;
      EXPECT_TRUE(
          std::ranges::all_of(found->map.values(), [](float v) { return std::isfinite(v); }))
          << name << ", " << method.key;
    }
    EXPECT_EQ(stateHash(model->impl().module), before) << name;
    EXPECT_EQ(gradients(), flags) << name;
  }
}

TEST_F(Attributions, CanBeCancelledAndReportProgress) {
  const ModelPtr model = made("cancelled", "    return torch.linear(torch.flatten(x, 1), self.w)\n",
                              test::spreadNumbers({3, kPixels}, 1.0));
  ASSERT_NE(model, nullptr);
  std::int64_t total = 0;
  context_.on_progress = [&](const Progress& progress) {
    total = std::max(total, progress.total);
    EXPECT_LE(progress.done, progress.total);
  };
  ASSERT_OK(attributed(*model, "integrated-gradients"));
  EXPECT_GT(total, 0);
  context_.control()->requestCancel();
  const auto found = attributed(*model, "integrated-gradients");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCancelled);
}

TEST_F(Attributions, RefuseInvalidOptions) {
  const ModelPtr model = made("refusing", "    return torch.linear(torch.flatten(x, 1), self.w)\n",
                              test::spreadNumbers({3, kPixels}, 1.0));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(attributed(*model, "guesses").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(attributed(*model, "occlusion", {.window = 0.1, .stride = 0.2}).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(attributed(*model, "integrated-gradients", {.steps = 0}).error().code,
            ErrorCode::kInvalidArgument);
}

TEST_F(Attributions, MethodsHaveDifferentKeysAndOneNeedsNoGradients) {
  const auto& methods = allAttributionMethods();
  for (const AttributionMethod& method : methods) {
    EXPECT_EQ(findAttributionMethod(method.key), &method);
    EXPECT_FALSE(method.label.empty() || method.summary.empty());
  }
  EXPECT_EQ(findAttributionMethod("guesses"), nullptr);
  EXPECT_EQ(std::ranges::count(methods, false, &AttributionMethod::needs_gradients), 1);
}

}  // namespace
}  // namespace dubito
