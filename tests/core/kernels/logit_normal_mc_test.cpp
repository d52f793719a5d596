// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logit_normal_mc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/kernels/logit_normal_sums.h"
#include "core/kernels/philox.h"
#include "core/kernels/semidefinite_factor.h"
#include "core/measures/entropy.h"
#include "core/measures/measures.h"
#include "tests/core/kernels/logit_gaussian_samples.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using test::randomDiagonal;
using test::randomFactored;
using test::randomFull;

constexpr std::uint64_t kSeed = 20;

/// Ids that differ in both words, negative ones among them.
std::vector<std::int64_t> someIds(std::int64_t items) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(items));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(i) * 4294967301LL - 1;
  }
  return ids;
}

LogitNormalSummary summarise(const LogitGaussians& gaussians, std::int64_t samples,
                             const RunContext& context = RunContext()) {
  return logitNormalMc(gaussians, someIds(gaussians.mean.extent(0)), samples, kSeed, context);
}

LogitGaussians sliced(const LogitGaussians& all, std::int64_t begin, std::int64_t end) {
  LogitGaussians part{all.mean.slice(begin, end), all.covariance};
  if (auto* const diagonal = std::get_if<DiagonalCovariance>(&part.covariance)) {
    diagonal->variance = diagonal->variance.slice(begin, end);
  } else if (auto* const full = std::get_if<FullCovariance>(&part.covariance)) {
    full->covariance = full->covariance.slice(begin, end);
  } else {
    auto& scale = std::get<FactoredCovariance>(part.covariance).scale;
    scale = scale.slice(begin, end);
  }
  return part;
}

/// The measures of all draws, one after the other, in double. `steepest` bounds |A eps|: float32
/// logits, and so the logarithms of probabilities, err by a few 1e-7 of it.
void expectAsPlain(const LogitGaussians& gaussians, std::int64_t samples, double steepest,
                   const std::string& what) {
  const LogitNormalSummary summary = summarise(gaussians, samples);
  const std::int64_t items = gaussians.mean.extent(0);
  const auto classes = static_cast<std::size_t>(gaussians.mean.extent(1));
  const std::vector<std::int64_t> ids = someIds(items);
  const double error = 1e-6 * (1.0 + steepest);
  // Exponentials end where float32 does.
  const double smallest = 0x1p-125 * (1.0 + steepest) * static_cast<double>(classes);
  for (std::int64_t i = 0; i < items; ++i) {
    LogitMapper mapper(gaussians);
    std::vector<double> probs(classes, 0.0);
    LogitNormalSums sums{probs};
    sumLogitNormalScalar(mapper.map(i), siteKey(kSeed, kLogitNoiseSite),
                         ids[static_cast<std::size_t>(i)], samples, sums);
    for (double& p : probs) {
      p /= static_cast<double>(samples);
    }
    const double expected_entropy = sums.entropies / static_cast<double>(samples);
    const double entropy = entropyOf(std::span<const double>(probs));
    SCOPED_TRACE(testing::Message() << what << ", item " << i << ", samples " << samples);
    for (std::size_t k = 0; k < classes; ++k) {
      ASSERT_TRUE(closeTo(summary.mean_probs.row(i)[k], probs[k], error, smallest))
          << "class " << k;
    }
    ASSERT_TRUE(closeTo(summary.confidence.data()[i], *std::ranges::max_element(probs), error));
    ASSERT_TRUE(closeTo(summary.expected_entropy.data()[i], expected_entropy, 4 * error, smallest));
    // The plain entropy rounds like 1 - p.
    ASSERT_TRUE(closeTo(summary.entropy.data()[i], entropy, 4 * error, 1e-14));
    ASSERT_TRUE(closeTo(summary.mutual_information.data()[i],
                        std::max(0.0, entropy - expected_entropy), 0.0,
                        4 * error * entropy + 1e-14));
  }
}

TEST(LogitNormalMc, AgreesWithThePlainVersion) {
  for (const std::int64_t classes : {2, 3, 4, 5, 7, 8, 10, 16, 17, 33, 100}) {
    for (const std::int64_t samples : {1, 2, 3, 31, 32, 33, 100}) {
      const std::string what = std::to_string(classes) + " classes";
      expectAsPlain(randomDiagonal(7, classes, 3.0F, 2.0F, 1), samples, 8.0, "diagonal, " + what);
      expectAsPlain(randomFactored(5, classes, classes, true, 3.0F, 2), samples, 20.0,
                    "factored, " + what);
      expectAsPlain(randomFactored(5, classes, 3, false, 3.0F, 3), samples, 20.0,
                    "one scale, " + what);
      expectAsPlain(randomFull(3, classes, classes, 3.0F, 4), samples, 20.0, "full, " + what);
      expectAsPlain(randomFull(3, classes, 2, 3.0F, 5), samples, 20.0, "singular, " + what);
    }
  }
  expectAsPlain(randomDiagonal(2, 1000, 3.0F, 2.0F, 6), 300, 8.0, "1000 classes");
}

// In float32 the sum of so many equal numbers would be off by a thousandth.
TEST(LogitNormalMc, MillionsOfDrawsKeepTheirDigits) {
  const LogitGaussians gaussians{Array<float>::fromVector({1, 2}, {1.0F, -0.3F}),
                                 DiagonalCovariance{Array<float>::zeros({1, 2})}};
  const LogitNormalSummary summary = summarise(gaussians, 3'000'001);
  EXPECT_TRUE(closeTo(summary.mean_probs.data()[0], 1.0 / (1.0 + std::exp(-1.3F)), 1e-6));
  EXPECT_TRUE(closeTo(summary.expected_entropy.data()[0], summary.entropy.data()[0], 1e-6));
}

TEST(LogitNormalMc, AgreesWithThePlainVersionAtTheExtremes) {
  for (const float gap : {0.0F, 88.0F, 500.0F}) {
    for (const float variance : {0.0F, 1e-8F, 1.0F, 1e6F}) {
      for (const std::int64_t classes : {2, 3, 10, 40}) {
        LogitGaussians gaussians = randomDiagonal(6, classes, 2.0F, variance, 8);
        for (std::int64_t row = 0; row < 6; ++row) {
          gaussians.mean.mutableRow(row)[static_cast<std::size_t>(row % classes)] += gap;
        }
        expectAsPlain(gaussians, 50, gap + 6.0 * std::sqrt(variance),
                      "gap " + std::to_string(gap) + ", variance " + std::to_string(variance));
      }
    }
  }
}

// Every class the same: ties between the largest logits.
TEST(LogitNormalMc, WithoutNoiseItIsTheSoftmax) {
  for (const std::int64_t classes : {2, 3, 10, 100}) {
    const LogitGaussians gaussians{Array<float>::zeros({3, classes}),
                                   DiagonalCovariance{Array<float>::zeros({3, classes})}};
    const LogitNormalSummary summary = summarise(gaussians, 101);
    const double most = std::log(static_cast<double>(classes));
    EXPECT_TRUE(closeTo(summary.entropy.data()[2], most, 1e-6));
    EXPECT_TRUE(closeTo(summary.expected_entropy.data()[2], most, 1e-6));
    EXPECT_TRUE(closeTo(summary.confidence.data()[1], 1.0 / static_cast<double>(classes), 1e-6));
    EXPECT_LE(summary.mutual_information.data()[0], 1e-6);
  }
}

double uniformOf(std::uint32_t word) {
  return (static_cast<double>(word >> 9) + 0.5) / 8388608.0;
}

// The layout is a promise: saved runs can be repeated.
TEST(LogitNormalMc, DrawsAreThoseOfTheDocumentedLayout) {
  const LogitGaussians gaussians = randomDiagonal(2, 7, 1.0F, 1.0F, 9);
  const auto mean = gaussians.mean.row(1);
  const auto variance = std::get<DiagonalCovariance>(gaussians.covariance).variance.row(1);
  const std::int64_t id = -77;
  const Array<float> draws = logitNormalSamples(gaussians, 1, id, 5, kSeed);
  ASSERT_EQ(draws.shape(), (std::vector<std::int64_t>{5, 7}));
  const std::uint64_t key = splitmix64(kSeed + 0x9E3779B97F4A7C15ULL * (~std::uint64_t{1} + 1));
  for (std::uint32_t draw = 0; draw < 5; ++draw) {
    std::vector<double> logits(7);
    for (std::uint32_t k = 0; k < 7; ++k) {
      const auto words =
          philox4x32({k / 4, draw / 2, static_cast<std::uint32_t>(id), 0xFFFFFFFFU},
                     {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
      const std::size_t first = k % 4 < 2 ? 0 : 2;
      const double radius = std::sqrt(-2.0 * std::log(uniformOf(words[first])));
      const double angle = 2.0 * std::numbers::pi * uniformOf(words[first + 1]);
      const double noise = radius * (k % 2 == 0 ? std::cos(angle) : std::sin(angle));
      logits[k] = mean[k] + (draw % 2 == 0 ? noise : -noise) * std::sqrt(variance[k]);
    }
    const std::vector<double> expected = softmax(std::span<const double>(logits));
    for (std::size_t k = 0; k < 7; ++k) {
      EXPECT_TRUE(closeTo(draws.row(draw)[k], expected[k], 1e-6)) << draw << " " << k;
    }
  }
}

TEST(LogitNormalMc, TheSamplesAreWhatIsAveraged) {
  for (const LogitGaussians& gaussians :
       {randomDiagonal(4, 9, 2.0F, 1.0F, 10), randomFactored(4, 9, 3, true, 2.0F, 10),
        randomFull(4, 9, 9, 2.0F, 10)}) {
    const LogitNormalSummary summary = summarise(gaussians, 75);
    for (std::int64_t row = 0; row < 4; ++row) {
      const Array<float> draws =
          logitNormalSamples(gaussians, row, someIds(4)[static_cast<std::size_t>(row)], 75, kSeed);
      for (std::int64_t k = 0; k < 9; ++k) {
        double sum = 0.0;
        for (std::int64_t draw = 0; draw < 75; ++draw) {
          sum += double{draws.data()[draw * 9 + k]};
        }
        EXPECT_TRUE(closeTo(summary.mean_probs.data()[row * 9 + k], sum / 75.0, 1e-5));
      }
    }
  }
}

TEST(LogitNormalMc, DependsNeitherOnBatchesNorOrderNorThreads) {
  RunContext several;
  several.threads = 4;
  for (const LogitGaussians& all :
       {randomDiagonal(60, 10, 3.0F, 2.0F, 11), randomFactored(60, 10, 6, true, 3.0F, 12),
        randomFull(60, 10, 10, 3.0F, 13)}) {
    const std::vector<std::int64_t> ids = someIds(60);
    const LogitNormalSummary alone = logitNormalMc(all, ids, 999, kSeed, RunContext());
    const LogitNormalSummary threaded = logitNormalMc(all, ids, 999, kSeed, several);
    EXPECT_TRUE(std::ranges::equal(threaded.mean_probs.values(), alone.mean_probs.values()));
    EXPECT_TRUE(std::ranges::equal(threaded.mutual_information.values(),
                                   alone.mutual_information.values()));
    // Backwards and one by one.
    for (std::int64_t row = 59; row >= 0; row -= 7) {
      const LogitNormalSummary single = logitNormalMc(
          sliced(all, row, row + 1), std::span(ids).subspan(static_cast<std::size_t>(row), 1), 999,
          kSeed, several);
      EXPECT_TRUE(std::ranges::equal(single.mean_probs.row(0), alone.mean_probs.row(row)));
      EXPECT_EQ(single.entropy.data()[0], alone.entropy.data()[row]);
      EXPECT_EQ(single.expected_entropy.data()[0], alone.expected_entropy.data()[row]);
    }
  }
}

// Also seeds: seed 1 of item 0 is not seed 0 of item 1.
TEST(LogitNormalMc, NoTwoItemsOrSeedsShareTheirDraws) {
  const LogitGaussians gaussians{
      Array<float>::zeros({1, 4}),
      DiagonalCovariance{Array<float>::fromVector({1, 4}, {1.0F, 1.0F, 1.0F, 1.0F})}};
  std::set<float> seen;
  std::size_t expected = 0;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    for (const std::int64_t id : {0LL, 1LL, 2LL, -1LL, 1LL << 32, (1LL << 32) + 1}) {
      const Array<float> draws = logitNormalSamples(gaussians, 0, id, 64, seed);
      for (std::int64_t draw = 0; draw < 64; ++draw) {
        seen.insert(draws.row(draw)[0]);
        ++expected;
      }
    }
  }
  // Of so many float32 values a few coincide by chance.
  EXPECT_GE(seen.size(), expected - 5);
}

// E[sigmoid(z0 - z1)], by the trapezoidal rule. The draws come in pairs that mirror each other.
TEST(LogitNormalMc, MeansAreUnbiased) {
  const std::int64_t items = 4000;
  const std::int64_t samples = 50;
  LogitGaussians gaussians{Array<float>::zeros({items, 2}),
                           DiagonalCovariance{Array<float>::zeros({items, 2})}};
  for (std::int64_t i = 0; i < items; ++i) {
    gaussians.mean.mutableRow(i)[0] = 1.0F;
    std::ranges::fill(std::get<DiagonalCovariance>(gaussians.covariance).variance.mutableRow(i),
                      2.0F);
  }
  double exact = 0.0;
  for (double t = -8.0; t <= 8.0; t += 1.0 / 64.0) {
    exact += std::exp(-0.5 * t * t) / (1.0 + std::exp(-(1.0 + 2.0 * t)));
  }
  exact /= 64.0 * std::sqrt(2.0 * std::numbers::pi);
  const LogitNormalSummary summary = summarise(gaussians, samples);
  double mean = 0.0;
  double square = 0.0;
  for (std::int64_t i = 0; i < items; ++i) {
    const double p = summary.mean_probs.row(i)[0];
    mean += p / items;
    square += p * p / items;
  }
  const double error_of_mean = std::sqrt((square - mean * mean) / items);
  EXPECT_NEAR(mean, exact, 4.0 * error_of_mean);
  EXPECT_LT(error_of_mean, 3e-4);
}

TEST(LogitNormalMc, DrawsHaveTheMeanAndCovarianceAskedFor) {
  const LogitGaussians gaussians = randomFull(1, 4, 3, 1.0F, 14);
  const std::int64_t samples = 40'000;
  const Array<float> draws = logitNormalSamples(gaussians, 0, 5, samples, kSeed);
  const auto covariance = std::get<FullCovariance>(gaussians.covariance).covariance.row(0);
  // Of logits only differences can be seen.
  const auto difference = [&](std::int64_t draw, std::size_t k) {
    return std::log(double{draws.row(draw)[k]}) - std::log(double{draws.row(draw)[3]});
  };
  const auto of_differences = [&](std::size_t k, std::size_t l) {
    return double{covariance[k * 4 + l]} - double{covariance[k * 4 + 3]} -
           double{covariance[12 + l]} + double{covariance[15]};
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const double mean_k = double{gaussians.mean.data()[k]} - double{gaussians.mean.data()[3]};
    for (std::size_t l = 0; l < 3; ++l) {
      const double mean_l = double{gaussians.mean.data()[l]} - double{gaussians.mean.data()[3]};
      double sum = 0.0;
      double first = 0.0;
      for (std::int64_t draw = 0; draw < samples; ++draw) {
        first += difference(draw, k) - mean_k;
        sum += (difference(draw, k) - mean_k) * (difference(draw, l) - mean_l);
      }
      const double expected = of_differences(k, l);
      // The standard error from as many independent draws as there are pairs.
      const double error = std::sqrt(
          (of_differences(k, k) * of_differences(l, l) + expected * expected) / (samples / 2));
      EXPECT_NEAR(sum / samples, expected, 4.0 * error) << k << l;
      EXPECT_LT(error, 0.02 * std::sqrt(of_differences(k, k) * of_differences(l, l)));
      // Mirrored pairs: the mean is exact but for float32.
      EXPECT_NEAR(first / samples, 0.0, 1e-6);
    }
  }
}

TEST(LogitNormalMc, StaysInItsBounds) {
  for (const float variance : {1e-6F, 1.0F, 1e4F}) {
    const LogitGaussians gaussians = randomDiagonal(200, 7, 5.0F, variance, 15);
    const LogitNormalSummary summary = summarise(gaussians, 64);
    for (std::int64_t i = 0; i < 200; ++i) {
      const auto row = summary.mean_probs.row(i);
      EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1.0, 1e-6);
      EXPECT_EQ(summary.confidence.data()[i], *std::ranges::max_element(row));
      EXPECT_GE(summary.mutual_information.data()[i], 0.0);
      EXPECT_LE(summary.mutual_information.data()[i], summary.entropy.data()[i]);
      EXPECT_LE(summary.entropy.data()[i], std::log(7.0));
      EXPECT_GE(summary.expected_entropy.data()[i], 0.0);
    }
  }
}

TEST(LogitNormalMc, OneSampleHasNoEpistemicPart) {
  const LogitNormalSummary summary = summarise(randomDiagonal(30, 5, 2.0F, 1.0F, 16), 1);
  for (std::int64_t i = 0; i < 30; ++i) {
    EXPECT_EQ(summary.mutual_information.data()[i], 0.0);
    EXPECT_EQ(summary.entropy.data()[i], summary.expected_entropy.data()[i]);
  }
}

TEST(LogitNormalMc, WhatIsNotANumberShowsInItsItemAlone) {
  LogitGaussians gaussians = randomDiagonal(20, 5, 1.0F, 1.0F, 17);
  gaussians.mean.mutableRow(5)[2] = std::numeric_limits<float>::quiet_NaN();
  std::get<DiagonalCovariance>(gaussians.covariance).variance.mutableRow(7)[4] =
      std::numeric_limits<float>::quiet_NaN();
  const LogitNormalSummary summary = summarise(gaussians, 40);
  for (std::int64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(std::isnan(summary.entropy.data()[i]), i == 5 || i == 7) << i;
    EXPECT_EQ(std::isnan(summary.mutual_information.data()[i]), i == 5 || i == 7) << i;
  }
}

TEST(LogitNormalMc, AcceptsNoItemsAndRefusesWhatDoesNotFit) {
  const LogitGaussians none{Array<float>::zeros({0, 4}),
                            DiagonalCovariance{Array<float>::zeros({0, 4})}};
  EXPECT_EQ(summarise(none, 10).mean_probs.extent(1), 4);
  const LogitGaussians two = randomDiagonal(2, 3, 1.0F, 1.0F, 18);
  const std::vector<std::int64_t> one_id{4};
  const RunContext context;
  EXPECT_THROW(static_cast<void>(logitNormalMc(two, one_id, 5, 0, context)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(summarise(two, 0)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(summarise(two, (std::int64_t{1} << 32) + 1)),
               std::invalid_argument);
  for (const std::int64_t row : {-1, 2}) {
    EXPECT_THROW(static_cast<void>(logitNormalSamples(two, row, 0, 5, 0)), std::invalid_argument);
  }
}

TEST(LogitNormalMc, StopsWhenCancelled) {
  RunContext context;
  context.control()->requestCancel();
  EXPECT_EQ(summarise(randomDiagonal(20, 3, 1.0F, 1.0F, 19), 10, context).entropy.data()[19], 0.0);
}

TEST(SemidefiniteFactor, GivesTheCovarianceBack) {
  for (const std::int64_t classes : {2, 5, 20}) {
    for (const std::int64_t rank : {std::int64_t{1}, std::int64_t{2}, classes}) {
      const LogitGaussians gaussians = randomFull(1, classes, rank, 1.0F, 20);
      Array<float> covariance = std::get<FullCovariance>(gaussians.covariance).covariance;
      // Classes of very different scale, and one that does not vary.
      for (std::int64_t k = 0; k < classes; ++k) {
        for (std::int64_t l = 0; l < classes; ++l) {
          const double scale = std::pow(10.0, static_cast<double>((k % 5) + (l % 5)) - 4.0);
          covariance.mutableData()[k * classes + l] *=
              k == 1 || l == 1 ? 0.0F : static_cast<float>(scale);
        }
      }
      const SemidefiniteFactor factor = factorSemidefinite(covariance.row(0), classes);
      EXPECT_LE(factor.rank, std::max<std::int64_t>(1, std::min(rank, classes - 1)));
      for (std::int64_t k = 0; k < classes; ++k) {
        for (std::int64_t l = 0; l < classes; ++l) {
          double sum = 0.0;
          for (std::int64_t r = 0; r < factor.rank; ++r) {
            sum += factor.matrix[static_cast<std::size_t>(k * factor.rank + r)] *
                   factor.matrix[static_cast<std::size_t>(l * factor.rank + r)];
          }
          const double scale = std::sqrt(double{covariance.data()[k * classes + k]} *
                                         double{covariance.data()[l * classes + l]});
          EXPECT_NEAR(sum, double{covariance.data()[k * classes + l]}, 1e-5 * scale);
        }
      }
    }
  }
}

TEST(SemidefiniteFactor, NothingVariesInAZeroCovariance) {
  const SemidefiniteFactor factor = factorSemidefinite(std::vector<float>(9, 0.0F), 3);
  EXPECT_EQ(factor.rank, 1);
  EXPECT_EQ(factor.matrix, std::vector<double>(3, 0.0));
}

}  // namespace
}  // namespace dubito
