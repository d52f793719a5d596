// SPDX-License-Identifier: GPL-3.0-or-later
// Attributions of draws of MC dropout and of their spread, against masks applied by hand.
#include <algorithm>
#include <cmath>

#include "core/attribution/attribute.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "tests/core/network/list_dataset.h"
#include "tests/core/network/made_network.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr int kSide = 6;
constexpr std::int64_t kPixels = std::int64_t{kSide} * kSide;
constexpr std::int64_t kClasses = 3;
constexpr double kDropRate = 0.25;
constexpr std::uint64_t kSeed = 11;
constexpr std::int64_t kItem = 1;
// The network computes in float32, the reference in double.
constexpr double kTolerance = 1e-5;

class DrawAttribution : public testing::Test {
 protected:
  DrawAttribution()
      : dataset_(test::madeImages(3, kSide)),
        model_(test::madeNetwork(folder_, "dropping", R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.dropout(torch.flatten(x, 1), 0.25, self.training)
    return torch.linear(x, self.w)
)",
                                 {{"w", weights()}}, kSide)) {
    context_.seed = kSeed;
  }

  static at::Tensor weights() { return test::spreadNumbers({kClasses, kPixels}, 0.5); }
  [[nodiscard]] Expected<Attribution> attributed(const AttributionTarget& target,
                                                 const std::string& method = "gradient-input",
                                                 std::int64_t item = kItem) {
    McDropoutOptions dropout;
    dropout.draws = kDraws;
    return attribute(*model_, dataset_, item, dropout, target,
                     {.method = method, .steps = 16, .window = 0.5, .stride = 0.5}, context_);
  }

  /// [pixels] in double, as the network takes them.
  [[nodiscard]] at::Tensor pixels() const {
    const auto input = preprocess(*dataset_.read(kItem), model_->metadata().preprocessing).value();
    std::vector<double> values(input.values().begin(), input.values().end());
    return at::tensor(values, at::kDouble);
  }
  /// [T, pixels] masks of the item, 0 or 1 / (1 - rate).
  [[nodiscard]] at::Tensor masks() const {
    const std::int64_t site = model_->audit().dropout_sites.at(0).site;
    std::vector<at::Tensor> of_draws;
    for (std::int64_t t = 0; t < kDraws; ++t) {
      of_draws.push_back(keyedDropout(at::ones({1, kPixels}), kDropRate,
                                      static_cast<std::int64_t>(kSeed),
                                      at::full({1}, dataset_.ids()[kItem], at::kLong),
                                      at::full({1}, t, at::kLong), site)
                             .to(at::kDouble));
    }
    return at::cat(of_draws);
  }
  /// Standard deviation over the draws of the probability of class 1.
  [[nodiscard]] double spreadOf(const at::Tensor& x) const {
    const at::Tensor logits = at::mm(masks() * x, weights().to(at::kFloat).to(at::kDouble).t());
    const at::Tensor probs = at::softmax(logits, 1).select(1, 1);
    return (probs - probs.mean()).square().mean().sqrt().item<double>();
  }

  /// Mutual information of class and draw, in nats.
  [[nodiscard]] double informationOf(const at::Tensor& x) const {
    const at::Tensor logits = at::mm(masks() * x, weights().to(at::kFloat).to(at::kDouble).t());
    const at::Tensor probs = at::softmax(logits, 1);
    const at::Tensor mean = probs.mean(0);
    return ((probs * (probs.log() - mean.log())).sum(1).mean()).item<double>();
  }

  static constexpr std::int64_t kDraws = 5;
  test::TempDir folder_;
  test::ListDataset dataset_;
  ModelPtr model_;
  RunContext context_;
};

TEST_F(DrawAttribution, UsesTheMaskOfTheDraw) {
  ASSERT_NE(model_, nullptr);
  const at::Tensor w = weights().to(at::kFloat).to(at::kDouble);
  const at::Tensor contribution = (w[1] - w.mean(0)) * pixels();
  const at::Tensor all_masks = masks();
  for (const std::int64_t t : {std::int64_t{0}, std::int64_t{3}}) {
    const auto map = attributed({.class_number = 1, .draw = t});
    ASSERT_OK(map);
    const at::Tensor expected = contribution * all_masks[t];
    for (std::int64_t i = 0; i < kPixels; ++i) {
      const double pixel = map->map.values()[static_cast<std::size_t>(i)];
      const double mask = all_masks[t][i].item<double>();
      ASSERT_NEAR(pixel, expected[i].item<double>(), kTolerance) << "draw " << t << ", " << i;
      ASSERT_TRUE(mask != 0.0 || pixel == 0.0) << "dropped pixel " << i;
    }
    EXPECT_NEAR(map->value, expected.sum().item<double>(), kTolerance);
    const auto again = attributed({.class_number = 1, .draw = t});
    ASSERT_OK(again);
    EXPECT_TRUE(std::ranges::equal(map->map.values(), again->map.values()));
  }
  EXPECT_FALSE(std::ranges::equal(attributed({.draw = 0})->map.values(),
                                  attributed({.draw = 3})->map.values()));
  context_.seed = kSeed + 1;
  const auto other_seed = attributed({.class_number = 1, .draw = 0});
  context_.seed = kSeed;
  EXPECT_FALSE(std::ranges::equal(other_seed->map.values(),
                                  attributed({.class_number = 1, .draw = 0})->map.values()));
}

TEST_F(DrawAttribution, WithoutADrawThereIsNoDropout) {
  ASSERT_NE(model_, nullptr);
  const auto map = attributed({.class_number = 1});
  ASSERT_OK(map);
  const at::Tensor w = weights().to(at::kFloat).to(at::kDouble);
  const at::Tensor expected = (w[1] - w.mean(0)) * pixels();
  for (std::int64_t i = 0; i < kPixels; ++i) {
    ASSERT_NEAR(map->map.values()[static_cast<std::size_t>(i)], expected[i].item<double>(),
                kTolerance);
  }
}

TEST_F(DrawAttribution, TheSpreadIsDifferentiatedThroughAllDraws) {
  ASSERT_NE(model_, nullptr);
  const auto map = attributed({.class_number = 1, .spread = true});
  ASSERT_OK(map);
  EXPECT_EQ(map->method, "gradient-input");
  const at::Tensor x = pixels();
  EXPECT_NEAR(map->value, spreadOf(x), kTolerance);
  constexpr double kStep = 1e-5;
  for (std::int64_t i = 0; i < kPixels; ++i) {
    at::Tensor more = x.clone();
    at::Tensor less = x.clone();
    more[i] += kStep;
    less[i] -= kStep;
    const double slope = (spreadOf(more) - spreadOf(less)) / (2.0 * kStep);
    ASSERT_NEAR(map->map.values()[static_cast<std::size_t>(i)], slope * x[i].item<double>(),
                kTolerance)
        << i;
  }
}

/// Each of four windows is half as wide as the image, and no two overlap.
TEST_F(DrawAttribution, OcclusionExplainsTheSpreadToo) {
  ASSERT_NE(model_, nullptr);
  const auto map = attributed({.class_number = 1, .spread = true}, "occlusion");
  ASSERT_OK(map);
  const at::Tensor x = pixels();
  at::Tensor covered = x.clone().view({kSide, kSide});
  covered.slice(0, 0, kSide / 2).slice(1, kSide / 2).zero_();
  const double expected = spreadOf(x) - spreadOf(covered.view({-1}));
  for (std::int64_t row = 0; row < kSide / 2; ++row) {
    for (std::int64_t column = kSide / 2; column < kSide; ++column) {
      EXPECT_NEAR(map->map.row(row)[static_cast<std::size_t>(column)], expected, kTolerance);
    }
  }
}

TEST_F(DrawAttribution, TheMutualInformationIsDifferentiatedThroughAllDraws) {
  ASSERT_NE(model_, nullptr);
  const auto map = attributed({.mutual_information = true});
  ASSERT_OK(map);
  const at::Tensor x = pixels();
  EXPECT_GT(map->value, 1e-4);
  EXPECT_NEAR(map->value, informationOf(x), kTolerance);
  constexpr double kStep = 1e-5;
  for (std::int64_t i = 0; i < kPixels; ++i) {
    at::Tensor more = x.clone();
    at::Tensor less = x.clone();
    more[i] += kStep;
    less[i] -= kStep;
    const double slope = (informationOf(more) - informationOf(less)) / (2.0 * kStep);
    ASSERT_NEAR(map->map.values()[static_cast<std::size_t>(i)], slope * x[i].item<double>(),
                kTolerance)
        << i;
  }
  // It is no number of a class.
  const auto other = attributed({.class_number = 2, .mutual_information = true});
  ASSERT_OK(other);
  EXPECT_TRUE(std::ranges::equal(other->map.values(), map->map.values()));
}

TEST_F(DrawAttribution, AMapOfTheMutualInformationSumsToItsDifference) {
  ASSERT_NE(model_, nullptr);
  const auto map = attributed({.mutual_information = true}, "integrated-gradients");
  ASSERT_OK(map);
  // Without pixels all draws agree.
  EXPECT_NEAR(map->difference, map->value, kTolerance);
  ASSERT_TRUE(map->completeness_gap);
  EXPECT_LT(*map->completeness_gap, 0.05);
}

TEST_F(DrawAttribution, TheSpreadWithoutDrawsIsZero) {
  ASSERT_NE(model_, nullptr);
  const auto map = attribute(*model_, dataset_, kItem, MapOptions(),
                             {.class_number = 1, .spread = true}, {}, context_);
  ASSERT_OK(map);
  EXPECT_TRUE(std::ranges::all_of(map->map.values(), [](float pixel) { return pixel == 0.0F; }));
  EXPECT_EQ(map->map.shape(), (std::vector<std::int64_t>{kSide, kSide}));
  ASSERT_EQ(map->notes.size(), 1U);
  EXPECT_THAT(map->notes[0], HasSubstr("no spread"));
  const auto information =
      attribute(*model_, dataset_, kItem, MapOptions(), {.mutual_information = true}, {}, context_);
  ASSERT_OK(information);
  ASSERT_EQ(information->notes.size(), 1U);
  EXPECT_THAT(information->notes[0], HasSubstr("no disagreement"));
}

TEST_F(DrawAttribution, RefusesDrawsThatDoNotExist) {
  ASSERT_NE(model_, nullptr);
  for (const AttributionTarget& target :
       {AttributionTarget{.draw = kDraws}, AttributionTarget{.draw = -1},
        AttributionTarget{.draw = 0, .spread = true},
        AttributionTarget{.draw = 0, .mutual_information = true},
        AttributionTarget{.spread = true, .mutual_information = true},
        AttributionTarget{.class_number = kClasses}}) {
    const auto map = attributed(target);
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, ErrorCode::kInvalidArgument) << map.error().message;
  }
  const auto map = attribute(*model_, dataset_, kItem, MapOptions(), {.draw = 0}, {}, context_);
  ASSERT_FALSE(map);
  EXPECT_THAT(map.error().message, HasSubstr("has no draws"));
}

}  // namespace
}  // namespace dubito
