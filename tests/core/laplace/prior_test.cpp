// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "core/laplace/posterior/evidence_search.h"
#include "core/laplace/posterior/prior_search.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/reliability_diagram.h"
#include "tests/core/laplace/made_layers.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::madeLayer;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Labels that follow the network's own probabilities, so that the evidence has a peak inside.
test::MadeLayer learnedLayer() {
  test::MadeLayer layer = madeLayer(300, 6, 4, true, 3);
  const at::Tensor logits = layer.logitsOf(layer.features);
  for (std::int64_t i = 0; i < 300; ++i) {
    const std::int64_t best = at::argmax(logits[i]).item().toLong();
    layer.labels[static_cast<std::size_t>(i)] = i % 5 == 0 ? (best + 1) % 4 : best;
  }
  return layer;
}

TEST(Evidence, SearchFindsTheTopOfAFineGrid) {
  for (const auto structure : {LaplaceStructure::kFull, LaplaceStructure::kKron,
                               LaplaceStructure::kKronDamped, LaplaceStructure::kDiagonal}) {
    const LaplacePosterior posterior = test::posteriorOf(learnedLayer(), structure);
    const ChosenPrior chosen = maximiseEvidence(posterior, 300.0);
    EXPECT_TRUE(chosen.notes.empty());
    const double at_chosen = logEvidence(posterior, {300.0, chosen.tau});
    for (int i = 0; i < 4000; ++i) {
      const double tau = std::pow(10.0, -8.0 + 20.0 * i / 4000.0);
      EXPECT_LE(logEvidence(posterior, {300.0, tau}), at_chosen + 1e-9) << toString(structure);
    }
  }
}

/// At the top tau |theta|^2 equals the number of weights that the data settle.
TEST(Evidence, TopFulfilsItsEquation) {
  const LaplacePosterior posterior = test::posteriorOf(learnedLayer(), LaplaceStructure::kFull);
  const double tau = maximiseEvidence(posterior, 300.0).tau;
  const at::Tensor values = tensorView(posterior.full_values) * 300.0;
  const double settled = (values / (values + tau)).sum().item().toDouble();
  EXPECT_NEAR(tau * posterior.squaredNorm(), settled, 1e-4 * settled);
}

TEST(Evidence, WithoutATopSaysSo) {
  LaplacePosterior posterior = test::posteriorOf(learnedLayer(), LaplaceStructure::kKron);
  posterior.layers[0].squared_norm = 0.0;  // the prior costs nothing
  const ChosenPrior chosen = maximiseEvidence(posterior, 300.0);
  EXPECT_NEAR(std::log10(chosen.tau), 12.0, 1e-9);
  ASSERT_EQ(chosen.notes.size(), 1U);
  EXPECT_THAT(chosen.notes[0], HasSubstr("end of the range"));
}

/// Two classes and four items whose NLL is least where log10 tau is 1.25.
Expected<Array<float>> probsWithBestAt(double tau, double best_log10) {
  const double off = std::log10(tau) - best_log10;
  const auto p = static_cast<float>(0.9 * std::exp(-off * off / 50.0));
  return Array<float>::fromVector({2, 2}, {p, 1.0F - p, 1.0F - p, p});
}

TEST(Nll, SearchFindsTheBestGridPoint) {
  RunContext context;
  const std::vector<std::int64_t> labels = {0, 1};
  const auto chosen =
      minimiseNll([](double tau) { return probsWithBestAt(tau, 1.2); }, labels, context);
  ASSERT_OK(chosen);
  EXPECT_NEAR(std::log10(chosen->tau), 1.25, 1e-12);
  EXPECT_TRUE(chosen->notes.empty());
}

TEST(Nll, PointsThatAreNotFiniteArePassedOverAndCounted) {
  RunContext context;
  const std::vector<std::int64_t> labels = {0, 1};
  const auto probs = [](double tau) -> Expected<Array<float>> {
    if (tau < 100.0) {
      // The labels' own entries look better than any others.
      return Array<float>::fromVector({2, 2}, {0.99F, kNan, kNan, 0.99F});
    }
    return probsWithBestAt(tau, 1.2);
  };
  const auto chosen = minimiseNll(probs, labels, context);
  ASSERT_OK(chosen);
  EXPECT_NEAR(std::log10(chosen->tau), 2.0, 1e-12);
  ASSERT_EQ(chosen->notes.size(), 1U);
  EXPECT_THAT(chosen->notes[0], HasSubstr("24 of 41"));
}

TEST(Nll, NothingFiniteIsRefused) {
  RunContext context;
  const std::vector<std::int64_t> labels = {0, 1};
  const auto chosen = minimiseNll(
      [](double) -> Expected<Array<float>> {
        return Array<float>::fromVector({2, 2}, {kNan, kNan, kNan, kNan});
      },
      labels, context);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kUnsupported);
}

TEST(Nll, WithoutLabelsIsRefused) {
  RunContext context;
  const std::vector<std::int64_t> labels = {-1, -1};
  const auto chosen =
      minimiseNll([](double tau) { return probsWithBestAt(tau, 1.0); }, labels, context);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kInvalidArgument);
}

TEST(Nll, BestAtTheEndIsNoted) {
  RunContext context;
  const std::vector<std::int64_t> labels = {0, 1};
  const auto chosen =
      minimiseNll([](double tau) { return probsWithBestAt(tau, 9.0); }, labels, context);
  ASSERT_TRUE(chosen);
  EXPECT_NEAR(std::log10(chosen->tau), 6.0, 1e-12);
  EXPECT_EQ(chosen->notes.size(), 1U);
}

TEST(Nll, CancelEndsTheSearch) {
  RunContext context;
  context.control()->requestCancel();
  const std::vector<std::int64_t> labels = {0, 1};
  const auto chosen =
      minimiseNll([](double tau) { return probsWithBestAt(tau, 1.0); }, labels, context);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::kCancelled);
}

/// Mean confidence 0.5 + 0.5 tau / (1 + tau).
Expected<Array<float>> surerWithTau(double tau) {
  const auto p = static_cast<float>(0.5 + 0.5 * tau / (1.0 + tau));
  return Array<float>::fromVector({1, 2}, {p, 1.0F - p});
}

TEST(ConfidenceDrop, IsMet) {
  RunContext context;
  const auto chosen = matchConfidenceDrop(surerWithTau, 0.9, 0.05, context);
  ASSERT_OK(chosen);
  // 0.855 = 0.5 + 0.5 tau / (1 + tau)
  EXPECT_NEAR(chosen->tau, 0.71 / 0.29, 1e-4);
  EXPECT_TRUE(chosen->notes.empty());
}

TEST(ConfidenceDrop, OutOfReachIsNoted) {
  RunContext context;
  const auto high = matchConfidenceDrop(
      [](double) -> Expected<Array<float>> {
        return Array<float>::fromVector({1, 2}, {0.99F, 0.01F});
      },
      0.99, 0.05, context);
  ASSERT_TRUE(high);
  EXPECT_NEAR(std::log10(high->tau), -8.0, 1e-6);
  EXPECT_EQ(high->notes.size(), 1U);
  const auto low = matchConfidenceDrop(
      [](double) -> Expected<Array<float>> {
        return Array<float>::fromVector({1, 2}, {0.5F, 0.5F});
      },
      0.99, 0.05, context);
  ASSERT_TRUE(low);
  EXPECT_NEAR(std::log10(low->tau), 12.0, 1e-6);
  EXPECT_EQ(low->notes.size(), 1U);
}

TEST(Landscape, HoldsWhatTheMetricsSay) {
  RunContext context;
  const LaplacePosterior posterior = test::posteriorOf(learnedLayer(), LaplaceStructure::kKron);
  const std::vector<std::int64_t> labels = {0, 1};
  const auto landscape = priorLandscape(
      posterior, 300.0,
      [](double tau) -> Expected<Array<float>> {
        if (tau < 1e-3) {
          return Array<float>::fromVector({2, 2}, {kNan, kNan, kNan, kNan});
        }
        return probsWithBestAt(tau, 1.2);
      },
      labels, context);
  ASSERT_OK(landscape);
  ASSERT_EQ(landscape->log10_tau.size(), 41U);
  for (std::size_t i = 0; i < 41; ++i) {
    const double tau = std::pow(10.0, landscape->log10_tau[i]);
    EXPECT_DOUBLE_EQ(landscape->evidence[i], logEvidence(posterior, {300.0, tau}));
    if (tau < 1e-3) {
      EXPECT_TRUE(std::isnan(landscape->nll[i]) && std::isnan(landscape->ece[i]));
      continue;
    }
    const Array<float> probs = *probsWithBestAt(tau, 1.2);
    EXPECT_DOUBLE_EQ(landscape->nll[i], negativeLogLikelihood(probs, labels));
    const std::vector<double> confidence(2, double{std::max(probs.row(0)[0], probs.row(0)[1])});
    const auto right = static_cast<std::uint8_t>(probs.row(0)[0] >= probs.row(0)[1]);
    EXPECT_NEAR(landscape->ece[i],
                equalWidthReliability(confidence, std::vector<std::uint8_t>{right, right}, 15).ece,
                1e-7);
    EXPECT_NEAR(landscape->confidence[i], confidence[0], 1e-12);
  }
  const std::string csv = toCsv(*landscape);
  EXPECT_TRUE(csv.starts_with("log10_tau,nll,ece,evidence,confidence\n-4,,,")) << csv.substr(0, 80);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 42);
}

}  // namespace
}  // namespace dubito
