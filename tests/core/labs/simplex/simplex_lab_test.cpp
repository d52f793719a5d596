// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/simplex_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/labs/random/keyed_random.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/laplace/link.h"
#include "core/measures/dirichlet.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

const LogitGaussian kGeneral{{0.6, -0.2, 0.1}, {0.5, 0.2, -0.1, 0.2, 0.6, 0.1, -0.1, 0.1, 0.4}};

Expected<SimplexResult> analysed(const LogitGaussian& gaussian, std::uint64_t seed = 3,
                                 const SimplexOptions& options = {}, int threads = 1) {
  RunContext context;
  context.seed = seed;
  context.threads = threads;
  return analyseSimplex(gaussian, options, context);
}

const SimplexApproximation& find(const SimplexResult& result, const std::string& key) {
  return *std::ranges::find(result.approximations, key,
                            [](const SimplexApproximation& a) { return a.form.key; });
}

LogitGaussian preset(const std::string& key) {
  GaussianChoice choice;
  choice.gaussian = key;
  return chosenGaussian(choice, 0).value();
}

TEST(SimplexLab, EveryPresetGivesACompleteResult) {
  for (const GaussianPreset& info : gaussianPresets()) {
    const auto result = analysed(info.make());
    ASSERT_TRUE(result) << info.key;
    // All links but the sampling one, and moment matching.
    EXPECT_EQ(result->approximations.size(), allLinks().size()) << info.key;
    EXPECT_EQ(result->density.has_value(), result->classes() == 3) << info.key;
    EXPECT_EQ(result->line.has_value(), result->classes() == 2) << info.key;
    for (const SimplexApproximation& approximation : result->approximations) {
      const bool is_dirichlet = approximation.form.log_alpha.has_value();
      EXPECT_EQ(is_dirichlet, approximation.form.key != "probit");
      EXPECT_EQ(approximation.comparison.has_value(), is_dirichlet && !result->is_singular);
      EXPECT_EQ(approximation.proposition1.empty(), !approximation.form.bridge.has_value());
      EXPECT_TRUE(std::isfinite(approximation.mean_error));
    }
    EXPECT_EQ(result->is_singular, std::string(info.key) == "singular");
    EXPECT_EQ(result->warnings.size(), result->is_singular ? 1U : 0U) << info.key;
  }
}

TEST(SimplexLab, TheGaussianOfADirichletComesBackFromCentredBridges) {
  const auto result = analysed(preset("wide"));
  ASSERT_TRUE(result);
  for (const char* const key : {"bridge-centred", "bridge", "bridge-raw"}) {
    const std::vector<double>& alpha = find(*result, key).alpha;
    EXPECT_TRUE(closeTo(alpha[0], 2.0, 1e-9)) << key;
    EXPECT_TRUE(closeTo(alpha[2], 6.0, 1e-9)) << key;
  }
}

TEST(SimplexLab, MomentMatchingHasTheExactMean) {
  const auto result = analysed(kGeneral);
  ASSERT_TRUE(result);
  const SimplexApproximation& moments = find(*result, kMomentMatching);
  EXPECT_LT(moments.mean_error, 1e-12);
  double exact = 0.0;
  double matched = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    exact += result->moments.variance[k];
    matched += moments.variance[k];
  }
  EXPECT_TRUE(closeTo(matched, exact, 1e-9));
  EXPECT_GT(find(*result, "bridge-centred").mean_error, 1e-3);
}

TEST(SimplexLab, SampledDivergenceAgreesWithTheIntegral) {
  SimplexOptions options;
  options.samples = 20'000;
  const auto result = analysed(kGeneral, 11, options);
  ASSERT_TRUE(result);
  for (const SimplexApproximation& approximation : result->approximations) {
    if (approximation.comparison) {
      EXPECT_GT(approximation.sampled_divergence_error, 0.0);
      EXPECT_NEAR(approximation.sampled_divergence.value(), approximation.comparison->divergence,
                  4.0 * approximation.sampled_divergence_error)
          << approximation.form.key;
    }
  }
}

TEST(SimplexLab, DistancesObeyPinsker) {
  const auto result = analysed(kGeneral);
  ASSERT_TRUE(result);
  for (const SimplexApproximation& approximation : result->approximations) {
    if (approximation.comparison) {
      const double distance = approximation.comparison->total_variation;
      EXPECT_GT(distance, 0.0);
      EXPECT_LE(2.0 * distance * distance, approximation.comparison->divergence);
      EXPECT_LE(2.0 * distance * distance, approximation.reverse_divergence.value());
    }
  }
}

TEST(SimplexLab, ConditioningChangesTheDistributionAndCentringDoesNot) {
  const auto result = analysed(preset("independent"));
  ASSERT_TRUE(result);
  ASSERT_EQ(result->transforms.size(), 3U);
  const TransformEffect& centred = result->transforms[0];
  EXPECT_LT(centred.largest_mean_change, 1e-12);
  EXPECT_LT(centred.largest_variance_change, 1e-12);
  EXPECT_LT(centred.total_variation.value(), 1e-12);
  const TransformEffect& conditioned = result->transforms[1];
  EXPECT_GT(conditioned.largest_variance_change, 1e-2);
  EXPECT_GT(conditioned.total_variation.value(), 0.07);
}

TEST(SimplexLab, Proposition1HoldsForTheRawBridge) {
  int inside = 0;
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    GaussianChoice choice;
    choice.gaussian = "random";
    choice.classes = 3;
    choice.factors = 0;
    const LogitGaussian gaussian = chosenGaussian(choice, seed).value();
    SimplexOptions options;
    options.samples = 1;
    const auto result = analysed(gaussian, 0, options.whileDragging());
    ASSERT_TRUE(result);
    const SimplexApproximation& raw = find(*result, "bridge-raw");
    const DirichletSummary summary = summariseDirichlet(raw.alpha);
    for (std::size_t k = 0; k < 3; ++k) {
      const ClassInProposition1& row = raw.proposition1[k];
      // Var = a r / ((a + r)^2 (a + r + 1)) by a, times da/dSigma_kk = -a / Sigma_kk.
      const double a = raw.alpha[k];
      const double r = summary.rest[k];
      const double sum = a + r;
      const double by_alpha = r * (sum * (sum + 1.0) - 2.0 * a * (sum + 1.0) - a * sum) /
                              (sum * sum * sum * (sum + 1.0) * (sum + 1.0));
      const double slope = -by_alpha * a / gaussian.covariance[4 * k];
      EXPECT_TRUE(closeTo(row.slope, slope, 1e-5, 1e-9)) << seed;
      EXPECT_EQ(row.is_in_region, row.slope > 0.0) << seed << " " << row.alpha << " " << row.bound;
      (row.is_in_region ? inside : outside) += 1;
    }
  }
  EXPECT_GT(inside, 10);
  EXPECT_GT(outside, 10);
}

TEST(SimplexLab, SamplesAreKeyedAndFollowTheGaussian) {
  SimplexOptions options;
  options.samples = 40'000;
  const auto first = analysed(kGeneral, 7, options, 1);
  const auto second = analysed(kGeneral, 7, options, 3);
  const auto other = analysed(kGeneral, 8, options, 1);
  ASSERT_TRUE(first && second && other);
  EXPECT_TRUE(std::ranges::equal(first->samples.values(), second->samples.values()));
  EXPECT_EQ(find(*first, "bridge").comparison->divergence,
            find(*second, "bridge").comparison->divergence);
  EXPECT_NE(first->samples.row(0)[0], other->samples.row(0)[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    double mean = 0.0;
    double square = 0.0;
    for (std::int64_t i = 0; i < options.samples; ++i) {
      const double p = first->samples.row(i)[k];
      mean += p / 40'000.0;
      square += p * p / 40'000.0;
    }
    const double error = std::sqrt(first->moments.variance[k] / 40'000.0);
    EXPECT_NEAR(mean, first->moments.mean[k], 4.0 * error);
    EXPECT_NEAR(square - mean * mean, first->moments.variance[k],
                0.05 * first->moments.variance[k]);
  }
  EXPECT_EQ(first->histogram->samples, options.samples);
}

TEST(SimplexLab, ASingularPlaneShowsAHistogram) {
  SimplexOptions options;
  options.cells = 480;
  const auto result = analysed(preset("singular"), 3, options);
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->is_singular);
  double total = 0.0;
  const std::int64_t cells = result->density->log_density.extent(0);
  for (const double value : result->density->log_density.values()) {
    if (!std::isnan(value)) {
      total += std::exp(value) / static_cast<double>(cells * cells);
    }
  }
  EXPECT_NEAR(total, 1.0, 0.02);
  EXPECT_FALSE(find(*result, "bridge").comparison);
  EXPECT_FALSE(find(*result, kMomentMatching).alpha.empty());
  const auto point = analysed({{1.0, 0.0, 0.0}, std::vector<double>(9)});
  ASSERT_TRUE(point);
  EXPECT_TRUE(point->is_singular);
  const auto line = analysed({{1.0, 0.0}, std::vector<double>(4)});
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->line);
}

TEST(SimplexLab, ExtremeGaussiansGiveFiniteNumbers) {
  for (const double mean : {0.0, 50.0, 1000.0}) {
    for (const double variance : {1e-8, 1e-2, 100.0, 1e4}) {
      LogitGaussian gaussian{{mean, 0.0, 0.0}, std::vector<double>(9)};
      for (std::size_t k = 0; k < 3; ++k) {
        gaussian.covariance[4 * k] = variance * static_cast<double>(k + 1);
      }
      const auto result = analysed(gaussian, 0, SimplexOptions().whileDragging());
      ASSERT_TRUE(result);
      for (const SimplexApproximation& approximation : result->approximations) {
        if (approximation.comparison) {
          EXPECT_TRUE(std::isfinite(approximation.comparison->divergence));
          EXPECT_TRUE(std::isfinite(approximation.reverse_divergence.value_or(0.0)));
          EXPECT_GE(approximation.comparison->total_variation, 0.0);
          EXPECT_LE(approximation.comparison->total_variation, 1.0);
        }
      }
    }
  }
}

TEST(SimplexLab, ErrorsAreSentences) {
  EXPECT_FALSE(analysed({{0.0, 0.0, 0.0, 0.0}, std::vector<double>(16, 0.0)}));
  EXPECT_FALSE(analysed({{0.0, 0.0}, {1.0, 0.1, 0.2, 1.0}}));
  SimplexOptions options;
  options.nodes = 1000;
  const auto result = analysed(kGeneral, 0, options);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("Nodes is 1000"), std::string::npos);
  EXPECT_EQ(result.error().remedy.settings, std::vector{setting("nodes")});
}

TEST(SimplexLab, AnIndefiniteCovarianceIsComputedWithJitter) {
  LogitGaussian gaussian = kGeneral;
  gaussian.covariance[1] = gaussian.covariance[3] = 0.9;
  const auto result = analysed(gaussian);
  ASSERT_TRUE(result);
  EXPECT_LT(result->input.smallest_eigenvalue, 0.0);
  EXPECT_GT(result->input.jitter, -result->input.smallest_eigenvalue);
  EXPECT_EQ(result->warnings.size(), 1U);
}

TEST(SimplexLab, ComputesLessWhileASliderMoves) {
  const SimplexOptions options;
  const SimplexOptions coarse = options.whileDragging();
  EXPECT_LE(coarse.samples, 1000);
  EXPECT_LT(coarse.samples, options.samples);
  EXPECT_LT(coarse.cells, options.cells);
  EXPECT_LE(coarse.nodes, options.nodes);
  EXPECT_TRUE(analysed(kGeneral, 0, coarse));
}

}  // namespace
}  // namespace dubito
