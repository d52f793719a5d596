// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/conventions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/metrics/evaluation.h"
#include "core/metrics/labelled_scores.h"
#include "core/metrics/reliability_diagram.h"
#include "core/metrics/tool_conventions.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;
using Outcomes = std::vector<std::uint8_t>;

/// L1 gap over bins [edge_j, edge_j+1) in plain double, one pass a bin; what lies at or above the
/// last edge has a bin of its own.
double slowLeftClosed(const std::vector<double>& confidence, const Outcomes& correct,
                      const std::vector<double>& edges) {
  double error = 0.0;
  for (std::size_t j = 0; j < edges.size(); ++j) {
    double gap = 0.0;
    for (std::size_t i = 0; i < confidence.size(); ++i) {
      const bool below = j + 1 == edges.size() || confidence[i] < edges[j + 1];
      if (confidence[i] >= edges[j] && below) {
        gap += static_cast<double>(correct[i]) - confidence[i];
      }
    }
    error += std::abs(gap);
  }
  return error / static_cast<double>(confidence.size());
}

std::vector<double> edgesOf(int bins) {
  std::vector<double> edges;
  for (int j = 0; j <= bins; ++j) {
    edges.push_back(j == bins ? 1.0 : j * (1.0 / bins));
  }
  return edges;
}

struct Sample {
  std::vector<double> confidence;
  Outcomes correct;
};

/// Many of confidence 1, some on edges.
Sample randomSample(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Sample sample;
  for (std::size_t i = 0; i < n; ++i) {
    const double kind = uniform(random);
    double confidence = 0.2 + 0.8 * std::sqrt(uniform(random));
    if (kind < 0.2) {
      confidence = 1.0;
    } else if (kind < 0.3) {
      confidence = std::floor(10.0 * confidence) * 0.1;
    }
    sample.confidence.push_back(confidence);
    sample.correct.push_back(uniform(random) < confidence * confidence ? 1 : 0);
  }
  return sample;
}

TEST(Conventions, ConfidenceOneIsABinOfItsOwnInTorchmetrics) {
  // In one bin (0.9, 1] the gaps 0.5 and 0.05 of opposite signs would cancel in part.
  const std::vector<double> confidence{0.95, 1.0};
  const Outcomes correct{1, 0};
  const CalibrationErrors errors = torchmetricsCalibration(confidence, correct, 10, false);
  EXPECT_DOUBLE_EQ(errors.l1, (0.05 + 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(errors.l2, std::sqrt((0.05 * 0.05 + 1.0) / 2.0));
  EXPECT_DOUBLE_EQ(errors.max, 1.0);
  EXPECT_DOUBLE_EQ(netcalCalibration(confidence, correct, 10), 0.475);
  EXPECT_DOUBLE_EQ(equalWidthReliability(confidence, correct, 10).ece, 0.475);
}

TEST(Conventions, EdgesBelongToTheBinOnTheirRight) {
  // 0.5 joins 0.55 in bins [l, r), 0.45 in bins (l, r].
  const std::vector<double> confidence{0.45, 0.5, 0.55};
  const Outcomes correct{1, 0, 0};
  EXPECT_DOUBLE_EQ(netcalCalibration(confidence, correct, 10), (0.55 + 1.05) / 3.0);
  EXPECT_DOUBLE_EQ(equalWidthReliability(confidence, correct, 10).ece, (0.05 + 0.55) / 3.0);
  // Edges of float32: the float32 next to 0.2 is the edge itself.
  const std::vector<double> stored{double{0.2F}};
  EXPECT_DOUBLE_EQ(torchmetricsCalibration(stored, Outcomes{1}, 15, true).l1, 1.0 - double{0.2F});
}

TEST(Conventions, AgreeWithSlowDoubleCode) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Sample sample = randomSample(700, seed);
    EXPECT_TRUE(closeTo(torchmetricsCalibration(sample.confidence, sample.correct, 16, false).l1,
                        slowLeftClosed(sample.confidence, sample.correct, edgesOf(16)), 1e-12));
    // netcal joins the items at 1 with the last bin.
    std::vector<double> edges = edgesOf(10);
    edges.pop_back();
    EXPECT_TRUE(closeTo(netcalCalibration(sample.confidence, sample.correct, 10),
                        slowLeftClosed(sample.confidence, sample.correct, edges), 1e-12));
    Sample below;
    for (std::size_t i = 0; i < sample.confidence.size(); ++i) {
      if (sample.confidence[i] < 0.99) {
        below.confidence.push_back(sample.confidence[i]);
        below.correct.push_back(sample.correct[i]);
      }
    }
    EXPECT_LT(below.correct.size(), sample.correct.size());
    EXPECT_TRUE(closeTo(laplaceReduxCalibration(sample.confidence, sample.correct),
                        slowLeftClosed(below.confidence, below.correct, edgesOf(100)), 1e-12));
  }
  EXPECT_TRUE(std::isnan(laplaceReduxCalibration(std::vector<double>{0.995}, Outcomes{1})));
}

TEST(Conventions, AgreeWithTheToolsThemselves) {
  // Figures of torchmetrics 1.9.0 (in double, with its edges of float32), scikit-learn 1.9.1, and
  // of laplace-redux' and netcal's binning by numpy 2.2.
  std::vector<double> confidence;
  for (const float value :
       {1.0F, 1.0F, 0.2F, 0.6F, 0.9333333F, 0.99F, 0.995F, 0.4F, 0.7F, 0.85F, 0.33333334F, 0.5F}) {
    confidence.push_back(double{value});
  }
  const Outcomes correct{1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1};
  const CalibrationErrors torchmetrics = torchmetricsCalibration(confidence, correct, 15, true);
  EXPECT_TRUE(closeTo(torchmetrics.l1, 0.4609722184638182, 1e-12));
  EXPECT_TRUE(closeTo(torchmetrics.l2, 0.5402632407322971, 1e-12));
  EXPECT_TRUE(closeTo(torchmetrics.max, 0.9333332777023315, 1e-12));
  EXPECT_TRUE(closeTo(laplaceReduxCalibration(confidence, correct), 0.5645833294838667, 1e-12));
  EXPECT_TRUE(closeTo(netcalCalibration(confidence, correct, 10), 0.45847222084800404, 1e-12));
  const ThresholdTable of_correct = thresholdTable(confidence, correct);
  EXPECT_TRUE(closeTo(trapezoidalPrecisionRecall(of_correct), 0.6265460729746443, 1e-12));
  EXPECT_TRUE(closeTo(averagePrecision(of_correct), 0.6232993197278911, 1e-12));
  Outcomes wrong;
  std::vector<double> uncertainty;
  for (std::size_t i = 0; i < correct.size(); ++i) {
    wrong.push_back(correct[i] != 0 ? 0 : 1);
    uncertainty.push_back(-confidence[i]);
  }
  const ThresholdTable of_wrong = thresholdTable(uncertainty, wrong);
  EXPECT_TRUE(closeTo(trapezoidalPrecisionRecall(of_wrong), 0.4173809523809523, 1e-12));
  EXPECT_TRUE(closeTo(averagePrecision(of_wrong), 0.5023809523809524, 1e-12));
  const std::vector<double> probs{1.0, 0.0, 0.0, 0.2, 0.3, 0.5, 0.1, 0.8, 0.1};
  const std::vector<std::int64_t> labels{1, 2, 1};
  const auto of_double = Array<double>::fromVector({3, 3}, probs);
  const auto of_float =
      Array<float>::fromVector({3, 3}, std::vector<float>(probs.begin(), probs.end()));
  EXPECT_TRUE(closeTo(
      clippedNegativeLogLikelihood(of_double, labels, std::numeric_limits<double>::epsilon()),
      12.31998137366377, 1e-12));
  EXPECT_TRUE(closeTo(
      clippedNegativeLogLikelihood(of_float, labels, double{std::numeric_limits<float>::epsilon()}),
      5.619558334350586, 1e-6));
  EXPECT_TRUE(closeTo(labelledScores(of_double, nullptr, labels, RunContext()).brier,
                      0.8133333333333334, 1e-12));
}

TEST(Conventions, TrapezoidsStartAtPrecisionOne) {
  // Thresholds 0.9, 0.8, 0.7: precision 1, 1/2, 2/3 at recall 1/2, 1/2, 1.
  const ThresholdTable table =
      thresholdTable(std::vector<double>{0.9, 0.8, 0.7}, std::vector<std::uint8_t>{1, 0, 1});
  EXPECT_DOUBLE_EQ(averagePrecision(table), 0.5 * 1.0 + 0.5 * 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(trapezoidalPrecisionRecall(table), 0.5 + 0.5 * (0.5 + 2.0 / 3.0) / 2.0);
  EXPECT_TRUE(std::isnan(trapezoidalPrecisionRecall(
      thresholdTable(std::vector<double>{0.5}, std::vector<std::uint8_t>{0}))));
}

TEST(Conventions, ClippingBoundsWhatOneMistakeCosts) {
  const auto probs = Array<double>::fromVector({3, 2}, {1.0, 0.0, 0.25, 0.75, 0.5, 0.5});
  const std::vector<std::int64_t> labels{1, 1, -1};
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  EXPECT_DOUBLE_EQ(clippedNegativeLogLikelihood(probs, labels, kEpsilon),
                   (-std::log(kEpsilon) - std::log(0.75)) / 2.0);
  EXPECT_TRUE(std::isinf(clippedNegativeLogLikelihood(probs, labels, 0.0)));
  const auto certain = Array<float>::fromVector({1, 2}, {1.0F, 0.0F});
  constexpr float kNarrow = std::numeric_limits<float>::epsilon();
  EXPECT_DOUBLE_EQ(clippedNegativeLogLikelihood(certain, std::vector<std::int64_t>{0}, kNarrow),
                   -std::log(double{1.0F - kNarrow}));
}

const ConventionRow& find(const std::vector<ConventionRow>& rows, const std::string& group,
                          const std::string& used_by) {
  const auto found = std::ranges::find_if(rows, [&](const ConventionRow& row) {
    return row.group.starts_with(group) && row.used_by.find(used_by) != std::string::npos;
  });
  if (found == rows.end()) {
    throw std::runtime_error("no convention of " + used_by);
  }
  return *found;
}

TEST(Conventions, ARunUnderAllOfThem) {
  const auto run = test::randomRun(900, 5, 3.0, 7, true, false);
  RunContext context;
  const auto rows = metricConventions(run, context);
  ASSERT_TRUE(rows.has_value());
  const auto evaluation = evaluate(run, {}, {}, context);
  EXPECT_DOUBLE_EQ(find(*rows, "Calibration", "Guo").value, *evaluation->ece);
  EXPECT_DOUBLE_EQ(find(*rows, "Calibration", "MCE").value, *evaluation->mce);
  EXPECT_DOUBLE_EQ(find(*rows, "Calibration", "Dubito (adaptive)").value, *evaluation->aece);
  EXPECT_DOUBLE_EQ(find(*rows, "Calibration", "Kull").value, *evaluation->classwise_ece);
  EXPECT_TRUE(closeTo(find(*rows, "Brier", "Dubito").value, *evaluation->brier, 1e-12));
  EXPECT_TRUE(closeTo(find(*rows, "Brier", "LB_for").value, *evaluation->brier / 5.0, 1e-12));
  EXPECT_TRUE(closeTo(find(*rows, "Brier", "scale_by").value, *evaluation->brier / 2.0, 1e-12));
  EXPECT_TRUE(closeTo(find(*rows, "Negative", "Dubito").value, *evaluation->nll, 1e-12));
  EXPECT_DOUBLE_EQ(find(*rows, "Area", "Dubito").value,
                   evaluation->misclassified.at("confidence").rank.aupr);
  EXPECT_GT(find(*rows, "Area", "scikit-learn auc").value, 0.5);
  const SelectiveMetrics& selective = evaluation->misclassified.at("confidence");
  EXPECT_DOUBLE_EQ(find(*rows, "Area under the risk", "Geifman and").value, selective.aurc);
  EXPECT_DOUBLE_EQ(find(*rows, "Area under the risk", "Traub").value, selective.augrc);
  const auto excess = std::ranges::find(*rows, "E-AURC, exact oracle", &ConventionRow::name);
  ASSERT_NE(excess, rows->end());
  EXPECT_NEAR(excess->value, selective.eaurc, 1e-15);
  for (const ConventionRow& row : *rows) {
    EXPECT_FALSE(row.used_by.empty());
    EXPECT_FALSE(row.explanation.empty());
    EXPECT_TRUE(std::isfinite(row.value)) << row.name;
  }
  // The same whatever the number of threads.
  RunContext two_threads;
  two_threads.threads = 2;
  const auto again = metricConventions(run, two_threads);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    EXPECT_EQ((*rows)[i].value, (*again)[i].value);
  }
}

TEST(Conventions, TwoClassesHaveTheirOwnAndConfidencesAloneSome) {
  const auto run = test::randomRun(400, 2, 2.0, 8, true, false);
  RunContext context;
  const auto rows = metricConventions(run, context);
  std::vector<double> second;
  Outcomes is_second;
  for (std::int64_t i = 0; i < 400; ++i) {
    second.push_back(run.prob(i, 1));
    is_second.push_back(run.labels.data()[i] == 1 ? 1 : 0);
  }
  EXPECT_DOUBLE_EQ(find(*rows, "Calibration", "task='binary'").value,
                   torchmetricsCalibration(second, is_second, 15, true).l1);
  EXPECT_THAT(find(*rows, "Brier", "scikit-learn").used_by, HasSubstr("two classes"));
  const auto fewer = metricConventions(test::confidenceOnly(run), context);
  ASSERT_TRUE(fewer.has_value());
  EXPECT_TRUE(std::ranges::none_of(
      *fewer, [](const ConventionRow& row) { return row.group.starts_with("Brier"); }));
  EXPECT_EQ(find(*fewer, "Calibration", "Guo").value, find(*rows, "Calibration", "Guo").value);
  const auto none = metricConventions(test::randomRun(20, 3, 1.0, 9, false, false), context);
  EXPECT_TRUE(none->empty());
}

}  // namespace
}  // namespace dubito
