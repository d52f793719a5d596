// SPDX-License-Identifier: GPL-3.0-or-later
// Every field of evaluation2.json is compared, except areas that depend on the order of tied items
// and accuracies of a retained share; another field without a comparison is a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/measures/entropy.h"
#include "core/measures/measures.h"
#include "core/metrics/classwise_calibration.h"
#include "core/metrics/labelled_scores.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/ranking.h"
#include "core/metrics/reliability_diagram.h"
#include "core/metrics/selective.h"
#include "tests/core/metrics/rank_reference.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using test::VectorSection;

constexpr double kTolerance = 1e-9;
constexpr double kNearZero = 1e-12;

void expectNumber(double actual, const json& expected, const std::string& where) {
  EXPECT_TRUE(closeTo(actual, expected.get<double>(), kTolerance, kNearZero)) << where;
}

template <class Value>
void expectBins(const ReliabilityDiagram& diagram, const json& expected, const std::string& where,
                const Value& value) {
  const std::vector<double> numbers = test::numbersOrNan(expected);
  ASSERT_EQ(diagram.bins.size(), numbers.size()) << where;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    EXPECT_TRUE(closeTo(value(diagram.bins[j]), numbers[j], kTolerance, kNearZero))
        << where << ", bin " << j;
  }
}

void expectDiagram(const ReliabilityDiagram& diagram, const json& expected,
                   const std::string& where) {
  for (const auto& [key, value] : expected.items()) {
    const std::string field = where + "/" + key;
    if (key == "count") {
      expectBins(diagram, value, field,
                 [](const ReliabilityBin& bin) { return static_cast<double>(bin.count); });
    } else if (key == "accuracy") {
      expectBins(diagram, value, field, [](const ReliabilityBin& bin) { return bin.accuracy; });
    } else if (key == "confidence") {
      expectBins(diagram, value, field, [](const ReliabilityBin& bin) { return bin.confidence; });
    } else if (key == "wilson95_low") {
      expectBins(diagram, value, field, [](const ReliabilityBin& bin) { return bin.wilson95.low; });
    } else if (key == "wilson95_high") {
      expectBins(diagram, value, field,
                 [](const ReliabilityBin& bin) { return bin.wilson95.high; });
    } else if (key == "upper_edges") {
      expectBins(diagram, value, field, [](const ReliabilityBin& bin) { return bin.high; });
    } else if (key == "ece") {
      expectNumber(diagram.ece, value, field);
    } else if (key == "mce") {
      expectNumber(diagram.mce, value, field);
    } else if (key == "rmsce") {
      expectNumber(diagram.rmsce, value, field);
    } else {
      ADD_FAILURE() << "no comparison for " << field;
    }
  }
}

void expectRanking(const test::Ranked& ranked, const json& expected, const std::string& where) {
  const ThresholdTable& table = ranked.table;
  const RankMetrics& metrics = ranked.walked.rank;
  for (const auto& [key, value] : expected.items()) {
    const std::string field = where + "/" + key;
    if (key == "n_positive") {
      EXPECT_EQ(table.positives, value.get<double>()) << field;
    } else if (key == "n_negative") {
      EXPECT_EQ(table.negatives, value.get<double>()) << field;
    } else if (key == "auroc") {
      expectNumber(metrics.auroc, value, field);
    } else if (key == "average_precision") {
      expectNumber(metrics.aupr, value, field);
    } else if (key == "fpr95") {
      expectNumber(metrics.fpr95, value, field);
    } else if (key == "threshold_tp_fp") {
      ASSERT_EQ(table.rows.size(), value.size()) << field;
      for (std::size_t j = 0; j < table.rows.size(); ++j) {
        EXPECT_EQ(table.rows[j].threshold, value[j][0].get<double>()) << field;
        EXPECT_EQ(table.rows[j].true_positives, value[j][1].get<double>()) << field;
        EXPECT_EQ(table.rows[j].false_positives, value[j][2].get<double>()) << field;
      }
    } else {
      ADD_FAILURE() << "no comparison for " << field;
    }
  }
}

void expectRiskCoverage(const RiskCoverage& curve, const json& expected, const std::string& where) {
  ASSERT_EQ(curve.points().size(), expected.size()) << where;
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const RiskCoveragePoint& point = curve.points()[j];
    EXPECT_EQ(point.threshold, expected[j][0].get<double>()) << where;
    EXPECT_EQ(point.kept, expected[j][1].get<std::int64_t>()) << where;
    EXPECT_EQ(point.errors, expected[j][2].get<std::int64_t>()) << where;
    expectNumber(static_cast<double>(point.kept) / static_cast<double>(curve.itemCount()),
                 expected[j][3], where);
    expectNumber(point.accuracy(), expected[j][4], where);
  }
}

void expectSelective(const VectorSection& section, const json& expected, const std::string& where) {
  const test::Ranked ranked = test::ranked(section.confidence, section.correct);
  const RiskCoverage curve(ranked.table);
  for (const auto& [key, value] : expected.items()) {
    const std::string field = where + "/" + key;
    if (key == "aurc") {
      expectNumber(curve.aurc(), value, field);
      expectNumber(ranked.walked.aurc, value, field);
    } else if (key == "aurc_oracle") {
      expectNumber(curve.oracleAurc(), value, field);
    } else if (key == "e_aurc") {
      expectNumber(curve.excessAurc(), value, field);
    } else if (key == "e_aurc_geifman") {
      expectNumber(curve.excessAurcGeifman(), value, field);
    } else if (key == "augrc") {
      expectNumber(curve.augrc(), value, field);
      expectNumber(ranked.walked.augrc, value, field);
    } else if (key == "aurc_trapezoid_from_first") {
      expectNumber(curve.aurcTrapezoidFromFirst(), value, field);
    } else if (key == "augrc_trapezoid_from_first") {
      expectNumber(curve.augrcTrapezoidFromFirst(), value, field);
    } else if (key == "curve_threshold_kept_errors_coverage_accuracy") {
      expectRiskCoverage(curve, value, field);
    } else if (key != "aurc_stable_order" && key != "retained_accuracy") {
      ADD_FAILURE() << "no comparison for " << field;
    }
  }
}

/// What needs the whole rows. False where `key` is none of it.
bool expectFromRows(const std::string& key, const json& section, const std::string& where) {
  const Array<double> probs = test::tableOf<double>(section.at("probs"));
  const auto labels = section.at("labels").get<std::vector<std::int64_t>>();
  const json& value = section.at(key);
  // The reference's probabilities are meant as float32, which are clamped at its smallest normal.
  constexpr double kClamp = double{std::numeric_limits<float>::min()};
  if (key == "prediction" || key == "entropy") {
    for (std::int64_t i = 0; i < probs.extent(0); ++i) {
      const json& expected = value.at(static_cast<std::size_t>(i));
      if (key == "prediction") {
        EXPECT_EQ(argmax(probs.row(i)), expected.get<std::int64_t>()) << where;
      } else {
        expectNumber(entropyOf(probs.row(i)), expected, where);
      }
    }
  } else if (key == "nll") {
    expectNumber(negativeLogLikelihood(probs, labels, kClamp), value, where);
  } else if (key == "brier") {
    expectNumber(labelledScores(probs, nullptr, labels, RunContext()).brier, value, where);
  } else if (key.starts_with("classwise_ece_")) {
    const bool per_class = key.ends_with("_per_class");
    const std::string name = key.substr(0, key.size() - (per_class ? 10 : 0));
    const ClasswiseCalibration classwise =
        classwiseCalibration(probs, labels, test::trailingNumber(name), RunContext());
    if (per_class) {
      EXPECT_EQ(classwise.per_class.size(), value.size()) << where;
      for (std::size_t k = 0; k < value.size(); ++k) {
        expectNumber(classwise.per_class.at(k), value[k], where);
      }
    } else {
      expectNumber(classwise.mean, value, where);
    }
  } else {
    return false;
  }
  return true;
}

void expectSection(const VectorSection& section) {
  for (const auto& [key, value] : section.expected.items()) {
    const std::string field = section.name + "/" + key;
    if (key == "correct" || key == "probs" || key == "labels") {
      continue;  // what everything else is computed from
    }
    if (key == "confidence") {
      if (section.expected.contains("probs")) {
        const Array<double> probs = test::tableOf<double>(section.expected.at("probs"));
        for (std::size_t i = 0; i < value.size(); ++i) {
          EXPECT_EQ(confidenceOf(probs.row(static_cast<std::int64_t>(i))), value[i].get<double>());
        }
      }
    } else if (key == "n") {
      EXPECT_EQ(section.confidence.size(), value.get<std::size_t>()) << field;
    } else if (key == "accuracy") {
      const auto right = static_cast<double>(std::ranges::count(section.correct, 1));
      expectNumber(right / static_cast<double>(section.correct.size()), value, field);
    } else if (key == "mmc") {
      expectNumber(meanConfidence(section.confidence), value, field);
    } else if (key == "equal_width") {
      for (const auto& [bins, expected] : value.items()) {
        expectDiagram(equalWidthReliability(section.confidence, section.correct, std::stoll(bins)),
                      expected, field + "/" + bins);
      }
    } else if (key.starts_with("equal_mass_")) {
      for (const auto& [ties, expected] : value.items()) {
        ASSERT_TRUE(ties == "split" || ties == "ties_kept") << field;
        expectDiagram(
            equalMassReliability(section.confidence, section.correct, test::trailingNumber(key),
                                 ties == "split" ? EqualMassTies::kSplit : EqualMassTies::kKept),
            expected, field + "/" + ties);
      }
    } else if (key == "positive_correct") {
      expectRanking(test::ranked(section.confidence, section.correct), value, field);
    } else if (key == "positive_error") {
      std::vector<double> scores = section.confidence;
      std::vector<std::uint8_t> wrong = section.correct;
      for (std::size_t i = 0; i < scores.size(); ++i) {
        scores[i] = -scores[i];
        wrong[i] = wrong[i] != 0 ? 0 : 1;
      }
      expectRanking(test::ranked(scores, wrong), value, field);
    } else if (key == "selective") {
      expectSelective(section, value, field);
    } else if (!section.expected.contains("probs") ||
               !expectFromRows(key, section.expected, field)) {
      ADD_FAILURE() << "no comparison for " << field;
    }
  }
}

TEST(EvaluationVectors2, EveryFieldOfEverySetAgrees) {
  for (const VectorSection& section : test::vectorSections()) {
    SCOPED_TRACE(section.name);
    expectSection(section);
  }
}

TEST(EvaluationVectors2, EveryFieldWithOodAgrees) {
  const json vectors = test::readVectors("evaluation2");
  const json& with_ood = vectors.at("with_ood");
  const auto ood = with_ood.at("ood_confidence").get<std::vector<double>>();
  const auto in = vectors.at("confidence_only").at("confidence").get<std::vector<double>>();
  const auto correct = vectors.at("confidence_only").at("correct").get<std::vector<bool>>();
  std::vector<double> scores_of_correct;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (correct[i]) {
      scores_of_correct.push_back(in[i]);
    }
  }
  const auto negated = [](std::vector<double> values) {
    for (double& value : values) {
      value = -value;
    }
    return values;
  };
  for (const auto& [key, value] : with_ood.items()) {
    if (key == "ood_confidence") {
      continue;
    }
    if (key == "correct_against_ood") {
      expectRanking(test::rankedGroups(scores_of_correct, ood), value, key);
    } else if (key == "ood_positive_against_all_in") {
      expectRanking(test::rankedGroups(negated(ood), negated(in)), value, key);
    } else if (key == "mmc_ood") {
      expectNumber(meanConfidence(ood), value, key);
    } else if (key == "with_ood") {
      std::vector<double> confidence = in;
      confidence.insert(confidence.end(), ood.begin(), ood.end());
      std::vector<std::uint8_t> right(correct.begin(), correct.end());
      right.resize(confidence.size(), 0);
      for (const auto& [bins, expected] : value.items()) {
        expectDiagram(equalWidthReliability(confidence, right, std::stoll(bins)), expected,
                      key + "/" + bins);
      }
    } else {
      ADD_FAILURE() << "no comparison for with_ood/" << key;
    }
  }
}

TEST(EvaluationVectors2, NoSetIsForgotten) {
  std::set<std::string> compared{"with_ood"};
  for (const VectorSection& section : test::vectorSections()) {
    compared.insert(section.name);
  }
  const json vectors = test::readVectors("evaluation2");
  for (const auto& [name, section] : vectors.items()) {
    EXPECT_TRUE(!section.is_object() || compared.contains(name)) << name;
  }
}

}  // namespace
}  // namespace dubito
