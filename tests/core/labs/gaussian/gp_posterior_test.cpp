// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_posterior.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/labs/gaussian/gp_search.h"
#include "core/labs/gaussian/kernel.h"
#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using Numbers = std::vector<double>;

Kernel kernelOf(const std::string& text) {
  return parseKernel(text).value();
}

/// Uniform inputs in [-3, 3] and a noisy sine.
struct SinePoints {
  explicit SinePoints(std::size_t count, std::uint64_t seed = 1) : x(count), y(count) {
    KeyedRandom(seed, LabSite::kDataInputs).uniforms(0, x);
    KeyedRandom(seed, LabSite::kDataNoise).normals(0, y);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = 6.0 * x[i] - 3.0;
      y[i] = std::sin(2.0 * x[i]) + 0.2 * y[i];
    }
  }
  Numbers x;
  Numbers y;
};

Numbers gridOf(double low, double high, std::size_t count) {
  Numbers x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1);
  }
  return x;
}

GpPosterior fitted(const std::string& kernel, double noise_variance, const Numbers& x,
                   const Numbers& y) {
  const auto posterior = GpPosterior::fit(kernelOf(kernel), noise_variance, x, y, RunContext());
  EXPECT_TRUE(posterior) << posterior.error().message;
  return posterior.value();
}

TEST(GpPosterior, OnePointByHand) {
  const Numbers x = {0.5};
  const Numbers y = {2.0};
  const GpPosterior posterior = fitted("1.5*se(0.8)", 0.25, x, y);
  const auto prediction = posterior.predict(Numbers{1.1}, 0, 0, RunContext());
  ASSERT_TRUE(prediction);
  const double cross = 1.5 * std::exp(-0.5 * 0.75 * 0.75);
  EXPECT_NEAR(prediction->mean[0], cross / 1.75 * 2.0, 1e-15);
  EXPECT_NEAR(prediction->variance[0], 1.5 - cross * cross / 1.75, 1e-15);
  EXPECT_NEAR(posterior.logEvidence(),
              -0.5 * 4.0 / 1.75 - 0.5 * std::log(2.0 * std::numbers::pi * 1.75), 1e-15);
}

TEST(GpPosterior, WithoutPointsIsThePrior) {
  const GpPosterior prior = fitted("1.5*se(0.8) + linear(0.5)", 0.1, {}, {});
  const auto prediction = prior.predict(Numbers{-1.0, 2.0}, 4, 7, RunContext());
  ASSERT_TRUE(prediction);
  EXPECT_EQ(prediction->mean, (Numbers{0.0, 0.0}));
  EXPECT_NEAR(prediction->variance[0], 1.5 + 0.25 + 1.0, 1e-15);
  EXPECT_NEAR(prediction->variance[1], 1.5 + 0.25 + 4.0, 1e-15);
  EXPECT_EQ(prediction->draws.shape(), (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(prior.logEvidence(), 0.0);
}

TEST(GpPosterior, VarianceIsNeverAboveThePrior) {
  const SinePoints points(40);
  const Numbers x = gridOf(-6.0, 6.0, 121);
  for (const char* const text :
       {"1.5*se(0.8)", "matern12(0.3)", "matern52(2)", "rq(0.6, 0.8)", "periodic(0.9, 2.5)",
        "linear(0.5)", "1.5*se(0.8) + linear(0.5)*periodic(0.9, 2.5)"}) {
    for (const double noise : {1e-3, 0.04, 10.0}) {
      const auto prediction =
          fitted(text, noise, points.x, points.y).predict(x, 0, 0, RunContext());
      ASSERT_TRUE(prediction);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_LE(prediction->variance[i], kernelOf(text).value(x[i], x[i]));
        EXPECT_GE(prediction->variance[i], 0.0);
      }
    }
  }
}

TEST(GpPosterior, InterpolatesWithoutNoise) {
  const Numbers x = gridOf(-2.0, 2.0, 9);
  Numbers y(x.size());
  std::ranges::transform(x, y.begin(), [](double at) { return at * at - at; });
  for (const char* const text : {"matern12(0.7)", "2*matern32(0.6)", "se(0.5)"}) {
    const GpPosterior posterior = fitted(text, 0.0, x, y);
    EXPECT_EQ(posterior.jitter(), 0.0);
    const auto prediction = posterior.predict(x, 0, 0, RunContext());
    ASSERT_TRUE(prediction);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(prediction->mean[i], y[i], 1e-9) << text;
      EXPECT_NEAR(prediction->variance[i], 0.0, 1e-9) << text;
      EXPECT_GE(prediction->variance[i], 0.0) << text;
    }
  }
}

TEST(GpPosterior, DoesNotDependOnTheOrderOfThePoints) {
  const SinePoints points(300);
  SinePoints reversed = points;
  std::ranges::reverse(reversed.x);
  std::ranges::reverse(reversed.y);
  const GpPosterior one = fitted("1.5*se(0.8)", 0.04, points.x, points.y);
  const GpPosterior two = fitted("1.5*se(0.8)", 0.04, reversed.x, reversed.y);
  EXPECT_TRUE(closeTo(one.logEvidence(), two.logEvidence(), 1e-11));
  const Numbers x = gridOf(-4.0, 4.0, 50);
  const auto a = one.predict(x, 0, 0, RunContext());
  const auto b = two.predict(x, 0, 0, RunContext());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(a->mean[i], b->mean[i], 1e-11);
    EXPECT_NEAR(a->variance[i], b->variance[i], 1e-11);
  }
}

TEST(GpPosterior, DoesNotDependOnTheNumberOfThreads) {
  const SinePoints points(500);
  const Numbers x = gridOf(-4.0, 4.0, 150);
  RunContext several;
  several.threads = 4;
  const auto parallel =
      GpPosterior::fit(kernelOf("1.5*se(0.8)"), 0.04, points.x, points.y, several);
  ASSERT_TRUE(parallel);
  const auto one = fitted("1.5*se(0.8)", 0.04, points.x, points.y).predict(x, 2, 5, RunContext());
  const auto two = parallel->predict(x, 2, 5, several);
  EXPECT_EQ(one->mean, two->mean);
  EXPECT_EQ(one->variance, two->variance);
  EXPECT_TRUE(std::ranges::equal(one->draws.values(), two->draws.values()));
  const auto a = gpEvidence(kernelOf("se"), 0.04, points.x, points.y, RunContext());
  const auto b = gpEvidence(kernelOf("se"), 0.04, points.x, points.y, several);
  EXPECT_EQ(a->gradient, b->gradient);
}

/// Solves by Gaussian elimination with a full matrix, and returns also log det.
std::pair<Numbers, double> eliminated(std::vector<Numbers> matrix, Numbers right) {
  double log_determinant = 0.0;
  const std::size_t n = right.size();
  for (std::size_t k = 0; k < n; ++k) {
    log_determinant += std::log(matrix[k][k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double ratio = matrix[i][k] / matrix[k][k];
      for (std::size_t j = k; j < n; ++j) {
        matrix[i][j] -= ratio * matrix[k][j];
      }
      right[i] -= ratio * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) {
      right[k] -= matrix[k][j] * right[j];
    }
    right[k] /= matrix[k][k];
  }
  return {right, log_determinant};
}

// More points than one block of the factorisation, and not a multiple of it.
TEST(GpPosterior, IsThatOfPlainElimination) {
  constexpr std::size_t kPoints = 301;
  const SinePoints points(kPoints);
  const Kernel kernel = kernelOf("1.5*matern32(0.8)");
  std::vector<Numbers> matrix(kPoints, Numbers(kPoints));
  for (std::size_t i = 0; i < kPoints; ++i) {
    for (std::size_t j = 0; j < kPoints; ++j) {
      matrix[i][j] = kernel.value(points.x[i], points.x[j]) + (i == j ? 0.04 : 0.0);
    }
  }
  const auto [weights, log_determinant] = eliminated(matrix, points.y);
  double evidence = -0.5 * log_determinant - 0.5 * kPoints * std::log(2.0 * std::numbers::pi);
  for (std::size_t i = 0; i < kPoints; ++i) {
    evidence -= 0.5 * points.y[i] * weights[i];
  }
  const GpPosterior posterior = fitted("1.5*matern32(0.8)", 0.04, points.x, points.y);
  EXPECT_TRUE(closeTo(posterior.logEvidence(), evidence, 1e-10));
  Numbers cross(kPoints);
  std::ranges::transform(points.x, cross.begin(), [&](double x) { return kernel.value(x, 0.37); });
  const Numbers solved = eliminated(matrix, cross).first;
  double mean = 0.0;
  double variance = kernel.value(0.37, 0.37);
  for (std::size_t i = 0; i < kPoints; ++i) {
    mean += cross[i] * weights[i];
    variance -= cross[i] * solved[i];
  }
  const auto prediction = posterior.predict(Numbers{0.37}, 0, 0, RunContext());
  EXPECT_TRUE(closeTo(prediction->mean[0], mean, 1e-10));
  EXPECT_TRUE(closeTo(prediction->variance[0], variance, 1e-9));
}

TEST(GpPosterior, CovarianceIsThatOfPlainElimination) {
  constexpr std::size_t kPoints = 5;
  const SinePoints points(kPoints);
  const Numbers x = gridOf(-4.0, 4.0, 9);
  for (const char* const text : {"1.5*se(0.8)", "matern12(0.6)", "0.5*linear(0.7) + se(2)",
                                 "1.2*se(3)*periodic(0.9, 2.5)"}) {
    const Kernel kernel = kernelOf(text);
    std::vector<Numbers> matrix(kPoints, Numbers(kPoints));
    for (std::size_t i = 0; i < kPoints; ++i) {
      for (std::size_t j = 0; j < kPoints; ++j) {
        matrix[i][j] = kernel.value(points.x[i], points.x[j]) + (i == j ? 0.04 : 0.0);
      }
    }
    const GpPosterior posterior = fitted(text, 0.04, points.x, points.y);
    const auto covariance = posterior.covariance(x, RunContext());
    const auto prediction = posterior.predict(x, 0, 0, RunContext());
    ASSERT_TRUE(covariance);
    ASSERT_EQ(covariance->shape(), (std::vector<std::int64_t>{9, 9}));
    for (std::size_t a = 0; a < x.size(); ++a) {
      Numbers cross(kPoints);
      std::ranges::transform(points.x, cross.begin(),
                             [&](double at) { return kernel.value(at, x[a]); });
      const Numbers solved = eliminated(matrix, cross).first;
      const auto row = covariance->row(static_cast<std::int64_t>(a));
      for (std::size_t b = 0; b < x.size(); ++b) {
        double expected = kernel.value(x[a], x[b]);
        for (std::size_t i = 0; i < kPoints; ++i) {
          expected -= kernel.value(points.x[i], x[b]) * solved[i];
        }
        EXPECT_NEAR(row[b], expected, 1e-12) << text;
        EXPECT_EQ(row[b], covariance->row(static_cast<std::int64_t>(b))[a]);
      }
      EXPECT_NEAR(row[a], prediction->variance[a], 1e-12) << text;
    }
  }
}

TEST(GpPosterior, CovarianceWithoutPointsIsTheKernel) {
  const Kernel kernel = kernelOf("1.5*se(0.8) + linear(0.5)");
  const Numbers x = {-1.0, 0.25, 2.0};
  const auto covariance = fitted(kernel.text(), 0.1, {}, {}).covariance(x, RunContext());
  ASSERT_TRUE(covariance);
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = 0; b < x.size(); ++b) {
      EXPECT_EQ(covariance->row(static_cast<std::int64_t>(a))[b],
                kernel.value(x[std::max(a, b)], x[std::min(a, b)]));
    }
  }
  EXPECT_TRUE(fitted("se", 0.1, {}, {}).covariance(Numbers(), RunContext())->empty());
}

TEST(GpEvidence, GradientIsThatOfCentralDifferences) {
  constexpr double kStep = 1e-5;
  const SinePoints points(170);
  const RunContext context;
  for (const char* const text : {"1.5*rq(0.6, 0.8)", "se(0.8)*periodic(0.9, 2.5) + linear(0.5)",
                                 "0.5 + matern52(0.7)*(linear(2) + matern12(1))"}) {
    const Kernel kernel = kernelOf(text);
    const auto evidence = gpEvidence(kernel, 0.05, points.x, points.y, context);
    ASSERT_TRUE(evidence);
    ASSERT_EQ(evidence->gradient.size(), kernel.parameterCount() + 1);
    for (std::size_t p = 0; p <= kernel.parameterCount(); ++p) {
      const auto at = [&](double change) {
        Numbers point = kernel.logParameters();
        double noise = 0.05;
        if (p < point.size()) {
          point[p] += change;
        } else {
          noise *= std::exp(change);
        }
        return gpEvidence(kernel.withLogParameters(point), noise, points.x, points.y, context)
            ->log_evidence;
      };
      EXPECT_TRUE(
          closeTo(evidence->gradient[p], (at(kStep) - at(-kStep)) / (2.0 * kStep), 1e-5, 1e-4))
          << text << " parameter " << p;
    }
  }
}

TEST(GpPosterior, JitterIsReportedAndBounded) {
  const Numbers x = gridOf(-1.0, 1.0, 60);
  const Numbers y(60, 0.5);
  const GpPosterior posterior = fitted("se(1)", 0.0, x, y);
  EXPECT_GT(posterior.jitter(), 0.0);
  EXPECT_LE(posterior.jitter(), 1e-6);
  const auto prediction = posterior.predict(x, 3, 1, RunContext());
  ASSERT_TRUE(prediction);
  EXPECT_NEAR(prediction->mean[30], 0.5, 1e-3);

  const auto impossible = GpPosterior::fit(kernelOf("1000000000*linear(1000000000)"), 0.0,
                                           Numbers{1e300, -1e300}, Numbers{1, 1}, RunContext());
  ASSERT_FALSE(impossible);
  EXPECT_NE(impossible.error().message.find("use more noise or a shorter length scale"),
            std::string::npos)
      << impossible.error().message;
}

TEST(GpPosterior, DrawsAreKeyed) {
  const SinePoints points(30);
  const GpPosterior posterior = fitted("1.5*se(0.8)", 0.04, points.x, points.y);
  const Numbers x = gridOf(-3.0, 3.0, 400);
  const auto few = posterior.predict(x, 2, 9, RunContext());
  const auto more = posterior.predict(x, 5, 9, RunContext());
  const auto other = posterior.predict(x, 2, 10, RunContext());
  ASSERT_EQ(few->draws.extent(0), 2);
  EXPECT_TRUE(std::ranges::equal(few->draws.row(1), more->draws.row(1)));
  EXPECT_FALSE(std::ranges::equal(few->draws.row(1), other->draws.row(1)));
  EXPECT_FALSE(std::ranges::equal(few->draws.row(0), few->draws.row(1)));
  EXPECT_TRUE(posterior.predict(gridOf(-3.0, 3.0, 1001), 2, 9, RunContext())->draws.empty());
}

TEST(GpPosterior, CanBeCancelled) {
  const SinePoints points(30);
  RunContext context;
  context.control()->requestCancel();
  const auto posterior = GpPosterior::fit(kernelOf("se"), 0.04, points.x, points.y, context);
  ASSERT_FALSE(posterior);
  EXPECT_EQ(posterior.error().code, ErrorCode::kCancelled);
  const auto prediction = fitted("se", 0.04, points.x, points.y).predict(points.x, 1, 0, context);
  ASSERT_FALSE(prediction);
  EXPECT_EQ(prediction.error().code, ErrorCode::kCancelled);
  const auto covariance = fitted("se", 0.04, points.x, points.y).covariance(points.x, context);
  ASSERT_FALSE(covariance);
  EXPECT_EQ(covariance.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace dubito
