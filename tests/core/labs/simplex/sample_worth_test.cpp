// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/sample_worth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/labs/simplex/dirichlet_cells.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/logit_sampler.h"
#include "core/measures/honesty.h"
#include "core/measures/simplex_density.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

const LogitGaussian kUnlike{{2.0, 0.0, -0.5}, {0.4, 0.1, 0.0, 0.1, 0.5, 0.1, 0.0, 0.1, 0.6}};

LogitGaussian randomGaussian(std::int64_t classes, std::int64_t factors) {
  GaussianChoice choice;
  choice.gaussian = "random";
  choice.classes = classes;
  choice.factors = factors;
  return chosenGaussian(choice, 1).value();
}

SampleWorthResult finished(const LogitGaussian& gaussian, const SampleWorthOptions& options,
                           std::int64_t units_per_call = 1000, int threads = 1) {
  RunContext context;
  context.threads = threads;
  auto worth = SampleWorth::start(gaussian, options, 5).value();
  while (worth->done() < worth->total()) {
    EXPECT_TRUE(worth->advance(units_per_call, context));
  }
  return worth->result();
}

SampleWorthOptions quick(const std::string& compare) {
  SampleWorthOptions options;
  options.compare = compare;
  options.truth = 20'000;
  options.max_samples = 1000;
  options.points = 3;
  options.replicates = 5;
  return options;
}

const ApproximationWorth& find(const SampleWorthResult& result, const std::string& key) {
  return *std::ranges::find(result.approximations, key, &ApproximationWorth::key);
}

TEST(DirichletCells, BetaMassKeepsThinTails) {
  // Beta(1, b): P(X > x) = (1 - x)^b.
  EXPECT_TRUE(closeTo(betaMass(1.0, 80.0, 0.9, 1.0), std::pow(0.1, 80.0), 1e-9));
  EXPECT_TRUE(closeTo(betaMass(80.0, 1.0, 0.0, 0.1), std::pow(0.1, 80.0), 1e-9));
  EXPECT_TRUE(
      closeTo(betaMass(80.0, 1.0, 0.05, 0.1), std::pow(0.1, 80.0) - std::pow(0.05, 80.0), 1e-9));
}

TEST(DirichletCells, MarginalsSumToOneForAnyAlpha) {
  const std::vector<double> edges{1e-12, 0.01, 0.5, 0.9};
  for (const std::vector<double>& alpha :
       {std::vector<double>{2.0, 3.0, 4.0, 0.5}, std::vector<double>{1e-3, 1e-3, 1e-2, 1.0},
        std::vector<double>{1e20, 3e20, 1e-300, 1e15}}) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::vector<double> cells = marginalCells(alpha, k, edges);
      EXPECT_NEAR(std::accumulate(cells.begin(), cells.end(), 0.0), 1.0, 1e-9);
    }
  }
}

/// Probability of a triangle with corners in coordinates n (p_0, p_1), by m^2 small triangles.
double plainTriangle(const std::array<double, 3>& alpha, double n, double x, double y, double side,
                     int m) {
  double sum = 0.0;
  const double step = side / m;
  const auto density = [&](double u, double v) {
    const double p_0 = (x + u * step) / n;
    const double p_1 = (y + v * step) / n;
    return std::exp(dirichletLogDensity(alpha, {p_0, p_1, 1.0 - p_0 - p_1}));
  };
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j + i < m; ++j) {
      sum += density(i + 1.0 / 3.0, j + 1.0 / 3.0);
      if (i + j + 2 <= m) {
        sum += density(i + 2.0 / 3.0, j + 2.0 / 3.0);
      }
    }
  }
  return sum * 0.5 * step * step / (n * n);
}

TEST(DirichletCells, TrianglesEqualIntegralsOfTheDensity) {
  const std::array<double, 3> alpha{3.0, 2.0, 4.5};
  constexpr std::int64_t kBins = 5;
  const std::vector<double> cells = triangleCells(alpha, kBins);
  double total = 0.0;
  for (std::int64_t i = 0; i < kBins; ++i) {
    for (std::int64_t j = 0; j < kBins; ++j) {
      const double lower = cells[static_cast<std::size_t>(2 * (i * kBins + j))];
      const double upper = cells[static_cast<std::size_t>(2 * (i * kBins + j) + 1)];
      total += lower + upper;
      const auto x = static_cast<double>(i);
      const auto y = static_cast<double>(j);
      if (i + j < kBins) {
        EXPECT_NEAR(lower, plainTriangle(alpha, kBins, x, y, 1.0, 200), 2e-6) << i << " " << j;
      } else {
        EXPECT_EQ(lower, 0.0);
      }
      if (i + j + 2 <= kBins) {
        // Upside down: its corners are (i + 1, j + 1), (i, j + 1), (i + 1, j).
        EXPECT_NEAR(upper, plainTriangle(alpha, kBins, x + 1.0, y + 1.0, -1.0, 200), 2e-6);
      } else {
        EXPECT_EQ(upper, 0.0);
      }
    }
  }
  EXPECT_NEAR(total, 1.0, 1e-9);
}

TEST(DirichletCells, TrianglesSumToOneForExtremeAlphas) {
  for (const std::array<double, 3>& alpha :
       {std::array{0.01, 0.02, 0.5}, std::array{1e12, 2e12, 5e11}, std::array{1e-300, 4.0, 2.0}}) {
    const std::vector<double> cells = triangleCells(alpha, 16);
    EXPECT_NEAR(std::accumulate(cells.begin(), cells.end(), 0.0), 1.0, 1e-8);
  }
}

TEST(LogitSampler, MeanAndCovarianceOfTheLogitsAreThoseOfTheGaussian) {
  for (const std::int64_t factors : {0, 2}) {
    const LogitGaussian gaussian = randomGaussian(6, factors);
    constexpr std::size_t kCount = 40'000;
    std::vector<double> probs(kCount * 6);
    LogitSampler(gaussian, 9).draw(0, 0, probs);
    // Differences of logits from logit 5.
    for (std::size_t k = 0; k < 5; ++k) {
      double mean = 0.0;
      double square = 0.0;
      double product = 0.0;
      double mean_0 = 0.0;
      for (std::size_t i = 0; i < kCount; ++i) {
        const auto difference = [&](std::size_t l) {
          return std::log(probs[i * 6 + l] / probs[i * 6 + 5]);
        };
        mean += difference(k) / kCount;
        mean_0 += difference(0) / kCount;
        square += difference(k) * difference(k) / kCount;
        product += difference(k) * difference(0) / kCount;
      }
      const auto cov = [&](std::size_t a, std::size_t b) { return gaussian.covariance[a * 6 + b]; };
      const double variance = cov(k, k) - 2.0 * cov(k, 5) + cov(5, 5);
      const double variance_0 = cov(0, 0) - 2.0 * cov(0, 5) + cov(5, 5);
      const double covariance = cov(k, 0) - cov(k, 5) - cov(0, 5) + cov(5, 5);
      EXPECT_NEAR(mean, gaussian.mean[k] - gaussian.mean[5], 5.0 * std::sqrt(variance / kCount));
      EXPECT_NEAR(square - mean * mean, variance, 5.0 * variance * std::sqrt(2.0 / kCount));
      EXPECT_NEAR(product - mean * mean_0, covariance,
                  5.0 * std::sqrt(2.0 * variance * variance_0 / kCount));
    }
    // A sample can be recomputed alone.
    std::vector<double> one(6);
    LogitSampler(gaussian, 9).draw(0, 777, one);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_TRUE(closeTo(one[k], probs[777 * 6 + k], 1e-12));
    }
  }
}

TEST(LogitSampler, SingularCovariancesKeepTheirNullSpace) {
  const LogitGaussian gaussian = dirichletToLogitGaussian(std::vector<double>{2.0, 3.0, 4.0, 1.0});
  LogitGaussian rank_one{{0.0, 0.0, 0.0}, {1, -1, 0, -1, 1, 0, 0, 0, 0}};
  std::vector<double> probs(300);
  LogitSampler(rank_one, 1).draw(0, 0, probs);
  for (std::size_t i = 0; i < 100; ++i) {
    // z_0 + z_1 = 0 and z_2 = 0.
    EXPECT_TRUE(
        closeTo(probs[3 * i] * probs[3 * i + 1], probs[3 * i + 2] * probs[3 * i + 2], 1e-9));
  }
  std::vector<double> finite(400);
  LogitSampler(gaussian, 1).draw(0, 0, finite);
  EXPECT_TRUE(std::ranges::all_of(finite, [](double p) { return p > 0.0 && p < 1.0; }));
}

TEST(SampleWorth, JointDivergencesEqualAPlainVersion) {
  SampleWorthOptions options = quick("joint");
  options.replicates = 2;
  const SampleWorthResult result = finished(kUnlike, options);
  const LogitSampler sampler(kUnlike, 5);
  const std::int64_t n = options.bins;
  const auto histogram = [&](std::uint64_t stream, std::int64_t count) {
    std::vector<double> probs(static_cast<std::size_t>(3 * count));
    sampler.draw(stream, 0, probs);
    std::vector<double> cells(static_cast<std::size_t>(2 * n * n));
    for (std::int64_t i = 0; i < count; ++i) {
      const double x = static_cast<double>(n) * probs[static_cast<std::size_t>(3 * i)];
      const double y = static_cast<double>(n) * probs[static_cast<std::size_t>(3 * i + 1)];
      const double upper = x - std::floor(x) + y - std::floor(y) > 1.0 ? 1.0 : 0.0;
      cells[static_cast<std::size_t>(
          2.0 * (std::floor(x) * static_cast<double>(n) + std::floor(y)) + upper)] += 1.0;
    }
    return cells;
  };
  const std::vector<double> truth = histogram(2, options.truth);
  for (std::int64_t r = 0; r < 2; ++r) {
    for (std::size_t p = 0; p < result.counts.size(); ++p) {
      const auto count = static_cast<double>(result.counts[p]);
      const std::vector<double> drawn =
          histogram(3 + static_cast<std::uint64_t>(r), result.counts[p]);
      double divergence = 0.0;
      for (std::size_t i = 0; i < truth.size(); ++i) {
        if (truth[i] > 0.0) {
          const double share = truth[i] / static_cast<double>(options.truth);
          const double estimate = (drawn[i] + 0.5) / (count + 0.5 * static_cast<double>(n * n));
          divergence += share * std::log(share / estimate);
        }
      }
      EXPECT_TRUE(closeTo(result.divergences.row(r)[p], divergence, 1e-10)) << r << " " << count;
    }
  }
  const auto occupied =
      static_cast<double>(std::ranges::count_if(truth, [](double c) { return c > 0.0; }));
  EXPECT_TRUE(closeTo(result.truth_error, (occupied - 1.0) / (2.0 * 20'000.0), 1e-9));
}

TEST(SampleWorth, ResultDependsNeitherOnCallsNorOnThreads) {
  for (const char* const compare : {"joint", "marginals", "mean"}) {
    const SampleWorthResult whole = finished(kUnlike, quick(compare), 1000, 1);
    const SampleWorthResult pieces = finished(kUnlike, quick(compare), 1, 3);
    EXPECT_EQ(whole.mean, pieces.mean) << compare;
    EXPECT_EQ(whole.standard_error, pieces.standard_error);
    EXPECT_EQ(whole.truth_error, pieces.truth_error);
    for (std::size_t i = 0; i < whole.approximations.size(); ++i) {
      EXPECT_EQ(whole.approximations[i].divergence, pieces.approximations[i].divergence);
    }
  }
}

TEST(SampleWorth, DivergenceOfMeansFallsAsTheDeltaMethodPredicts) {
  SampleWorthOptions options = quick("mean");
  options.truth = 200'000;
  options.replicates = 200;
  options.min_samples = 100;
  const LogitGaussian gaussian = randomGaussian(10, 0);
  const SampleWorthResult result = finished(gaussian, options);
  // truth_error is half the sum of variance / (N p).
  for (std::size_t p = 0; p < result.counts.size(); ++p) {
    const double predicted =
        result.truth_error * (200'000.0 / static_cast<double>(result.counts[p]) + 1.0);
    EXPECT_NEAR(result.mean[p], predicted, 5.0 * result.standard_error[p] + 0.05 * predicted)
        << result.counts[p];
  }
}

TEST(SampleWorth, JointDivergenceOfABridgeApproachesThatOfTheDensities) {
  SampleWorthOptions options = quick("joint");
  options.truth = 200'000;
  options.replicates = 1;
  for (const BridgeVariant variant : {BridgeVariant::kCentred, BridgeVariant::kRaw}) {
    const double exact =
        densityDivergence(kUnlike.mean, kUnlike.covariance,
                          bridgeLogAlpha(kUnlike.mean, sumsOfFull(kUnlike.covariance), variant))
            .value();
    // Finer cells can only raise it, up to that of the densities. The noise of the truth raises it
    // by about its own error.
    double coarser = 0.0;
    for (const std::int64_t bins : {4, 12, 36}) {
      options.bins = bins;
      const SampleWorthResult result = finished(kUnlike, options);
      const double binned = find(result, std::string(bridgeVariantName(variant))).divergence;
      EXPECT_GT(binned, coarser) << bins;
      EXPECT_LT(binned, exact + 2.0 * result.truth_error) << bins;
      coarser = binned;
    }
    EXPECT_GT(coarser, 0.7 * exact);
  }
}

TEST(SampleWorth, ABridgeIsWorthMoreIfItFitsBetter) {
  const SampleWorthResult good =
      finished(dirichletToLogitGaussian(std::vector<double>{8.0, 3.0, 2.0}), quick("joint"));
  const SampleWorthResult poor = finished(kUnlike, quick("joint"));
  const double good_divergence = find(good, "bridge-centred").divergence;
  EXPECT_LT(good_divergence, find(poor, "bridge-centred").divergence);
  EXPECT_EQ(find(poor, "bridge-centred").crossing.kind, SampleCrossing::Kind::kFound);
  EXPECT_GT(find(poor, "bridge-centred").crossing.samples, 1.0);
}

TEST(SampleWorth, MarginalsOfAnExactDirichletLieFarBelowTheUniformPrior) {
  // The estimate from nothing is uniform over the bins; a good closed form must beat it clearly.
  SampleWorthOptions options = quick("marginals");
  options.replicates = 2;
  const SampleWorthResult result =
      finished(dirichletToLogitGaussian(std::vector<double>{8.0, 3.0, 2.0}), options);
  EXPECT_GT(result.mean.front(), 0.2);
  EXPECT_LT(find(result, "bridge-centred").divergence, 0.1 * result.mean.front());
  EXPECT_TRUE(closeTo(result.truth_error, 15.0 / 40'000.0, 0.1));
}

TEST(SampleWorth, ProbitIsComparedOnlyByItsMean) {
  const auto has_probit = [](const SampleWorthResult& result) {
    return std::ranges::count(result.approximations, "probit", &ApproximationWorth::key) > 0;
  };
  EXPECT_TRUE(has_probit(finished(kUnlike, quick("mean"))));
  EXPECT_FALSE(has_probit(finished(kUnlike, quick("marginals"))));
}

TEST(SampleWorth, WorksFromTwoToAThousandClasses) {
  SampleWorthOptions options = quick("auto");
  options.truth = 2000;
  options.max_samples = 100;
  options.replicates = 2;
  for (const std::int64_t classes : {2, 4, 1000}) {
    const SampleWorthResult result =
        finished(randomGaussian(classes, classes < 10 ? 2 : 0), options);
    EXPECT_EQ(result.replicates, 2);
    EXPECT_FALSE(result.approximations.empty());
    for (const ApproximationWorth& worth : result.approximations) {
      EXPECT_TRUE(std::isfinite(worth.divergence)) << classes << " " << worth.key;
    }
    EXPECT_LT(result.mean.back(), result.mean.front());
    EXPECT_EQ(result.warnings.size(), 0U);
  }
}

TEST(SampleWorth, CrossingIsInterpolatedWithLogarithms) {
  const std::vector<std::int64_t> counts{1, 10, 100};
  const std::vector<double> mean{1.0, 0.1, 0.01};
  const std::vector<double> error{0.2, 0.02, 0.002};
  const SampleCrossing crossing = crossingOf(counts, mean, error, 0.04);
  EXPECT_EQ(crossing.kind, SampleCrossing::Kind::kFound);
  EXPECT_TRUE(closeTo(crossing.samples, 25.0, 1e-12));
  EXPECT_TRUE(closeTo(crossing.range.low, 25.0 * 0.8, 1e-12));
  EXPECT_TRUE(closeTo(crossing.range.high, 25.0 * 1.2, 1e-12));
  EXPECT_EQ(crossingOf(counts, mean, error, 2.0).kind, SampleCrossing::Kind::kBeforeFirst);
  EXPECT_EQ(crossingOf(counts, mean, error, 0.001).kind, SampleCrossing::Kind::kAfterLast);
  EXPECT_EQ(worthText({"bridge", "", 0.04, crossing}, counts),
            "bridge is worth about 25 samples (20 to 30)");
  EXPECT_EQ(worthText({"bridge", "", 2.0, crossingOf(counts, mean, error, 2.0)}, counts),
            "bridge is not even worth one sample");
  EXPECT_EQ(worthText({"bridge", "", 0.001, crossingOf(counts, mean, error, 0.001)}, counts),
            "bridge is worth more than 100 samples");
}

TEST(SampleWorth, BeforeTheFirstReplicateThereIsNoCurve) {
  RunContext context;
  auto worth = SampleWorth::start(kUnlike, quick("joint"), 5).value();
  EXPECT_TRUE(worth->result().mean.empty());
  ASSERT_TRUE(worth->advance(3, context));
  EXPECT_EQ(worth->done(), 3);
  EXPECT_EQ(worth->result().truth_samples, 3000);
  EXPECT_TRUE(worth->result().approximations.empty());
  ASSERT_TRUE(worth->advance(18, context));
  EXPECT_EQ(worth->result().replicates, 1);
  EXPECT_TRUE(std::isnan(worth->result().standard_error[0]));
  const SampleWorthTimes times = worth->times();
  EXPECT_GT(times.seconds_per_sample, 0.0);
  ASSERT_EQ(times.seconds_of_approximations.size(), worth->result().approximations.size());
  EXPECT_GT(times.seconds_of_approximations[0], 0.0);
}

TEST(SampleWorth, CancelsAndRefuses) {
  RunContext context;
  auto worth = SampleWorth::start(kUnlike, quick("joint"), 5).value();
  context.control()->requestCancel();
  const Status status = worth->advance(1, context);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  const auto refused = SampleWorth::start(randomGaussian(5, 0), quick("joint"), 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the joint comparison needs 2 or 3 classes, but the Gaussian has 5; compare marginals "
            "or mean");
  EXPECT_EQ(refused.error().remedy.settings, std::vector{setting("compare", "marginals or mean")});
  SampleWorthOptions options;
  options.min_samples = 20'000;
  options.max_samples = 10'000;
  const Status swapped = options.check();
  ASSERT_FALSE(swapped);
  EXPECT_EQ(swapped.error().message,
            "the fewest samples are 20000 and the most samples 10000; the second must be larger");
  EXPECT_EQ(swapped.error().remedy.settings,
            (std::vector{setting("min_samples"), setting("max_samples")}));
  options = quick("joint");
  options.truth = 1000;
  EXPECT_EQ(finished(kUnlike, options).warnings.size(), 1U);
}

}  // namespace
}  // namespace dubito
