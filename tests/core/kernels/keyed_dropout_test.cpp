// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/kernels/philox.h"
#include "core/kernels/torch/keyed_dropout_torch.h"

namespace dubito {
namespace {

at::Tensor range(std::int64_t begin, std::int64_t end) {
  return at::arange(begin, end, at::kLong);
}
at::Tensor same(std::int64_t value, std::int64_t count) {
  return at::full({count}, value, at::kLong);
}
at::Tensor noise(at::IntArrayRef shape) {
  at::manual_seed(3);
  return at::randn(shape);
}

// Theory, section 4, word by word.
bool keeps(std::uint64_t seed, std::int64_t site, std::int64_t item, std::int64_t draw,
           std::int64_t decision, double drop_rate) {
  const auto id = static_cast<std::uint64_t>(item);
  const auto block =
      philox4x32({static_cast<std::uint32_t>(decision / 4), static_cast<std::uint32_t>(draw),
                  static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32)},
                 siteKey(seed, site));
  return static_cast<double>(block[static_cast<std::size_t>(decision % 4)]) >=
         drop_rate * 4294967296.0;
}

struct Case {
  std::vector<std::int64_t> shape;
  std::int64_t items;
  bool feature;
};

class KeyedDropoutReference : public testing::TestWithParam<Case> {};

TEST_P(KeyedDropoutReference, EqualsTheFormula) {
  const auto& [shape, item_count, feature] = GetParam();
  const at::Tensor x = noise(shape);
  const at::Tensor items = at::arange(item_count, at::kLong) * 4294967301LL - 1;
  const at::Tensor draws = at::arange(item_count, at::kLong) % 3;
  const at::Tensor y = keyedDropout(x, 0.3, 99, items, draws, 2, {.feature = feature});
  ASSERT_EQ(y.sizes(), x.sizes());
  const at::Tensor flat_x = x.reshape({item_count, -1});
  const at::Tensor flat_y = y.reshape({item_count, -1});
  const std::int64_t pixels = feature ? x.numel() / (x.size(0) * x.size(1)) : 1;
  const auto scale = static_cast<float>(1.0 / 0.7);
  for (std::int64_t i = 0; i < item_count; ++i) {
    for (std::int64_t e = 0; e < flat_x.size(1); ++e) {
      const bool kept = keeps(99, 2, items[i].item<std::int64_t>(), draws[i].item<std::int64_t>(),
                              e / pixels, 0.3);
      ASSERT_EQ(flat_y[i][e].item<float>(), flat_x[i][e].item<float>() * (kept ? scale : 0.0F))
          << "item " << i << " element " << e;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, KeyedDropoutReference,
                         testing::Values(Case{{5}, 5, false}, Case{{3, 1}, 3, false},
                                         Case{{4, 37}, 4, false}, Case{{2, 1100}, 2, false},
                                         Case{{6, 3, 5}, 2, false}, Case{{3, 7, 2, 3}, 3, true},
                                         Case{{4, 5, 3}, 2, true}, Case{{2, 600, 2}, 2, true},
                                         Case{{3, 9}, 3, true}));

/// 0, then rates that rise to 0.9.
at::Tensor unitRates(std::int64_t units) {
  return at::arange(units, at::kFloat) *
         (0.9 / static_cast<double>(std::max<std::int64_t>(1, units - 1)));
}

TEST_P(KeyedDropoutReference, WithRatesOfUnitsEqualsTheFormula) {
  const auto& [shape, item_count, feature] = GetParam();
  if (shape.size() < 2) {
    GTEST_SKIP() << "there are no units";
  }
  const at::Tensor x = noise(shape);
  const std::int64_t units = feature ? shape[1] : shape.back();
  const at::Tensor rates = unitRates(units);
  const at::Tensor items = at::arange(item_count, at::kLong) * 4294967301LL - 1;
  const at::Tensor draws = at::arange(item_count, at::kLong) % 3;
  const at::Tensor y = keyedUnitDropout(x, rates, 99, items, draws, 2, {.feature = feature});
  ASSERT_EQ(y.sizes(), x.sizes());
  const at::Tensor flat_x = x.reshape({item_count, -1});
  const at::Tensor flat_y = y.reshape({item_count, -1});
  const std::int64_t pixels = feature ? x.numel() / (x.size(0) * x.size(1)) : 1;
  for (std::int64_t i = 0; i < item_count; ++i) {
    for (std::int64_t e = 0; e < flat_x.size(1); ++e) {
      const std::int64_t decision = e / pixels;
      const double rate = rates[decision % units].item<double>();
      const bool kept = keeps(99, 2, items[i].item<std::int64_t>(), draws[i].item<std::int64_t>(),
                              decision, rate);
      const auto scale = static_cast<float>(1.0 / (1.0 - rate));
      ASSERT_EQ(flat_y[i][e].item<float>(), flat_x[i][e].item<float>() * (kept ? scale : 0.0F))
          << "item " << i << " element " << e;
    }
  }
}

TEST(KeyedUnitDropout, WithEqualRatesIsKeyedDropout) {
  const at::Tensor x = noise({6, 5, 7});
  for (const bool feature : {false, true}) {
    const at::Tensor rates = at::full({feature ? 5 : 7}, 0.25);
    const MaskHashRecorder of_one_rate;
    const at::Tensor expected =
        keyedDropout(x, 0.25, 5, range(0, 3), same(4, 3), 1, {.feature = feature});
    const auto expected_hashes = of_one_rate.entries();
    const MaskHashRecorder of_units;
    EXPECT_TRUE(keyedUnitDropout(x, rates, 5, range(0, 3), same(4, 3), 1, {.feature = feature})
                    .equal(expected));
    const auto hashes = of_units.entries();
    ASSERT_EQ(hashes.size(), 1U);
    EXPECT_EQ(hashes[0].hash, expected_hashes.at(0).hash);
  }
}

TEST(KeyedUnitDropout, RefusesWhatDoesNotFit) {
  const at::Tensor x = at::ones({6, 4});
  const auto drop = [&](const at::Tensor& rates, const KeyedDropoutForm& form = {}) {
    (void)keyedUnitDropout(x, rates, 0, range(0, 6), same(0, 6), 0, form);
  };
  EXPECT_NO_THROW(drop(at::zeros({4})));
  EXPECT_THROW(drop(at::zeros({3})), c10::Error);
  EXPECT_THROW(drop(at::zeros({1, 4})), c10::Error);
  EXPECT_THROW(drop(at::ones({4})), c10::Error);
  EXPECT_THROW(drop(at::full({4}, -0.1)), c10::Error);
  EXPECT_THROW(drop(at::full({4}, std::nan(""))), c10::Error);
  EXPECT_THROW(drop(at::zeros({4}, at::kLong)), c10::Error);
  EXPECT_THROW(drop(at::zeros({4}), {.alpha = true}), c10::Error);
}

TEST(KeyedDropout, DependsOnNeitherBatchNorOrderNorThreads) {
  const at::Tensor x = noise({64, 8, 13});
  const at::Tensor items = range(100, 164);
  const at::Tensor draws = same(5, 64);
  const auto run = [&](const at::Tensor& part) {
    return keyedDropout(x.index_select(0, part), 0.5, 7, items.index_select(0, part),
                        draws.index_select(0, part), 1);
  };
  at::set_num_threads(1);
  const at::Tensor whole = run(range(0, 64));
  EXPECT_TRUE(whole.equal(at::cat({run(range(0, 1)), run(range(1, 20)), run(range(20, 64))})));
  const at::Tensor order = range(0, 64).flip(0);
  EXPECT_TRUE(whole.index_select(0, order).equal(run(order)));
  at::set_num_threads(2);
  EXPECT_TRUE(whole.equal(run(range(0, 64))));
  at::set_num_threads(1);
}

TEST(KeyedDropout, DrawsOfOneItemMayShareABatch) {
  const at::Tensor x = noise({1, 200}).expand({6, 200});
  const at::Tensor together = keyedDropout(x, 0.4, 1, same(17, 6), range(0, 6), 0);
  for (std::int64_t draw = 0; draw < 6; ++draw) {
    const at::Tensor alone = keyedDropout(x.slice(0, 0, 1), 0.4, 1, same(17, 1), same(draw, 1), 0);
    EXPECT_TRUE(together.slice(0, draw, draw + 1).equal(alone)) << "draw " << draw;
  }
}

// Every pair of neighbours in seed, item, draw and site has a mask of its own; with 256 decisions
// two equal ones would be no accident.
TEST(KeyedDropout, NeighboursShareNoMasks) {
  const at::Tensor ones = at::ones({1, 256});
  std::vector<at::Tensor> masks;
  for (std::int64_t seed = 0; seed < 4; ++seed) {
    for (std::int64_t item = -1; item < 4; ++item) {
      for (std::int64_t draw = 0; draw < 3; ++draw) {
        for (std::int64_t site = 0; site < 3; ++site) {
          masks.push_back(keyedDropout(ones, 0.5, seed, same(item, 1), same(draw, 1), site));
        }
      }
    }
  }
  const at::Tensor kept = at::cat(masks) > 0;
  const at::Tensor agreement = kept.to(at::kFloat).mm(kept.to(at::kFloat).t()) +
                               (~kept).to(at::kFloat).mm((~kept).to(at::kFloat).t());
  const at::Tensor others = agreement - 256 * at::eye(agreement.size(0));
  // Binomial(256, 1/2): 128 +- 8; 16 160 pairs stay within 6.5 standard deviations.
  EXPECT_LT(others.max().item<float>(), 128 + 52);
}

TEST(KeyedDropout, KeepsTheRightShare) {
  for (const double rate : {0.05, 0.25, 0.5, 0.9}) {
    const at::Tensor y =
        keyedDropout(at::ones({1000, 1000}), rate, 5, range(0, 1000), same(0, 1000), 0);
    const double kept = (y > 0).to(at::kDouble).mean().item<double>();
    EXPECT_NEAR(kept, 1 - rate, 5 * std::sqrt(rate * (1 - rate) / 1e6)) << "rate " << rate;
    EXPECT_EQ(y.max().item<float>(), static_cast<float>(1 / (1 - rate)));
  }
}

TEST(KeyedDropout, RateZeroKeepsAll) {
  const at::Tensor x = noise({9, 31});
  EXPECT_TRUE(keyedDropout(x, 0.0, 5, range(0, 9), same(0, 9), 0).equal(x));
}

TEST(KeyedDropout, FeatureIsConstantOverPixels) {
  const at::Tensor y = keyedDropout(at::ones({20, 6, 4, 5}), 0.5, 5, range(0, 20), same(0, 20), 0,
                                    {.feature = true});
  const at::Tensor channels = y.reshape({20, 6, 20});
  EXPECT_TRUE(std::get<0>(channels.max(2)).equal(std::get<0>(channels.min(2))));
  EXPECT_GT((channels.select(2, 0) == 0).sum().item<std::int64_t>(), 30);
}

TEST(KeyedDropout, FunctionDrawGivesEveryInputTheSameMask) {
  const at::Tensor y = keyedDropout(at::ones({8, 50}), 0.5, 5, same(-1, 8), same(3, 8), 0);
  EXPECT_TRUE(y.equal(y.slice(0, 0, 1).expand({8, 50})));
}

TEST(KeyedDropout, TakesStridedAndDoubleInputs) {
  const at::Tensor x = noise({6, 10});
  const at::Tensor y = keyedDropout(x, 0.5, 5, range(0, 6), same(0, 6), 0);
  const at::Tensor strided = x.t().contiguous().t();
  ASSERT_FALSE(strided.is_contiguous());
  EXPECT_TRUE(keyedDropout(strided, 0.5, 5, range(0, 6), same(0, 6), 0).equal(y));
  const at::Tensor in_double = keyedDropout(x.to(at::kDouble), 0.5, 5, range(0, 6), same(0, 6), 0);
  EXPECT_EQ(in_double.scalar_type(), at::kDouble);
  EXPECT_TRUE(in_double.equal(y.to(at::kDouble)));
}

TEST(KeyedDropout, EmptyBatchStaysEmpty) {
  EXPECT_EQ(keyedDropout(at::ones({0, 7}), 0.5, 5, range(0, 0), range(0, 0), 0).size(1), 7);
}

TEST(KeyedDropout, RefusesWhatDoesNotFit) {
  const at::Tensor x = at::ones({6, 4});
  EXPECT_THROW((void)keyedDropout(x, 1.0, 0, range(0, 6), same(0, 6), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, -0.1, 0, range(0, 6), same(0, 6), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, std::nan(""), 0, range(0, 6), same(0, 6), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, 0.5, 0, range(0, 4), same(0, 4), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, 0.5, 0, range(0, 0), same(0, 0), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, 0.5, 0, range(0, 6), same(0, 3), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, 0.5, 0, range(0, 6), same(-1, 6), 0), c10::Error);
  EXPECT_THROW((void)keyedDropout(x, 0.5, 0, range(0, 6), same(0, 6), -1), c10::Error);
  EXPECT_THROW(
      (void)keyedDropout(at::ones({6}), 0.5, 0, range(0, 6), same(0, 6), 0, {.feature = true}),
      c10::Error);
  EXPECT_THROW((void)keyedDropout(x.to(at::kLong), 0.5, 0, range(0, 6), same(0, 6), 0), c10::Error);
}

// The mask of what a plain keyed dropout makes of ones.
at::Tensor maskOf(at::IntArrayRef shape, double rate, std::int64_t site,
                  const KeyedDropoutForm& form = {}) {
  const std::int64_t items = shape[static_cast<std::size_t>(form.item_axis)];
  return keyedDropout(at::ones(shape), rate, 5, range(0, items), same(2, items), site, form) > 0;
}

TEST(KeyedDropout, MovesAlphaDropoutAsItsPaperSays) {
  constexpr double kRate = 0.3;
  const double limit = -1.0507009873554804934193349852946 * 1.6732632423543772848170429916717;
  const double a = 1.0 / std::sqrt((1.0 - kRate) * (1.0 + kRate * limit * limit));
  const at::Tensor x = noise({6, 8, 3});
  for (const bool feature : {false, true}) {
    const at::Tensor kept = maskOf({6, 8, 3}, kRate, 4, {.feature = feature});
    const at::Tensor wide = x.to(at::kDouble);
    const at::Tensor expected =
        at::where(kept, wide * a - a * kRate * limit, at::full_like(wide, a * limit * (1 - kRate)));
    const at::Tensor y =
        keyedDropout(x, kRate, 5, range(0, 6), same(2, 6), 4, {.feature = feature, .alpha = true});
    EXPECT_TRUE(at::allclose(y.to(at::kDouble), expected, 1e-6, 1e-6));
  }
  EXPECT_TRUE(keyedDropout(x, 0.0, 5, range(0, 6), same(2, 6), 4, {.alpha = true}).equal(x));
}

TEST(KeyedDropout, KeepsMeanAndVarianceOfAlphaDropout) {
  const at::Tensor x = noise({1000, 300});
  const at::Tensor y = keyedDropout(x, 0.4, 5, range(0, 1000), same(0, 1000), 0, {.alpha = true});
  EXPECT_NEAR(y.mean().item<double>(), 0.0, 0.01);
  EXPECT_NEAR(y.var().item<double>(), 1.0, 0.01);
}

TEST(KeyedDropout, GivesEveryExecutionMasksOfItsOwn) {
  const at::Tensor first = maskOf({50, 80}, 0.5, 3, {.execution = 0});
  EXPECT_TRUE(first.equal(maskOf({50, 80}, 0.5, 3)));
  for (const std::int64_t execution : {1, 2, 65536}) {
    const at::Tensor other = maskOf({50, 80}, 0.5, 3, {.execution = execution});
    EXPECT_NEAR(first.eq(other).to(at::kFloat).mean().item<double>(), 0.5, 0.03) << execution;
  }
  EXPECT_NE(siteKey(1, 0, 1), siteKey(1, 1, 0));
  EXPECT_EQ(siteKey(1, 7, 0), siteKey(1, 7));
}

TEST(KeyedDropout, FollowsItemsOnTheSecondAxis) {
  const at::Tensor item_first = maskOf({6, 7, 5}, 0.5, 3);
  const at::Tensor sequence_first = maskOf({7, 6, 5}, 0.5, 3, {.item_axis = 1});
  EXPECT_TRUE(sequence_first.transpose(0, 1).equal(item_first));
}

TEST(KeyedDropout, IsKnownToTorchScript) {
  registerKeyedDropout();
  registerKeyedDropout();
  const auto schema = c10::Dispatcher::singleton().findSchema({"dubito::keyed_dropout", ""});
  ASSERT_TRUE(schema.has_value());
  const at::Tensor x = noise({6, 10});
  const auto called = schema
                          ->typed<at::Tensor(const at::Tensor&, double, std::int64_t,
                                             const at::Tensor&, const at::Tensor&, std::int64_t,
                                             std::int64_t, bool, bool, std::int64_t)>()
                          .call(x, 0.5, 5, range(0, 6), same(0, 6), 1, 0, false, false, 0);
  EXPECT_TRUE(called.equal(keyedDropout(x, 0.5, 5, range(0, 6), same(0, 6), 1)));
}

}  // namespace
}  // namespace dubito
