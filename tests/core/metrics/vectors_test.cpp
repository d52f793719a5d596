// SPDX-License-Identifier: GPL-3.0-or-later
// Every field of evaluation.json is compared, from double and from float32 probabilities, except
// areas that depend on the order of tied items and accuracies of a retained share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/measures/entropy.h"
#include "core/measures/measures.h"
#include "core/metrics/classwise_calibration.h"
#include "core/metrics/labelled_scores.h"
#include "core/metrics/proper_scores.h"
#include "core/metrics/ranking.h"
#include "core/metrics/reliability_diagram.h"
#include "tests/core/metrics/rank_reference.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

/// Softmax rows in the type in which they would be stored, with the scores of the items.
template <class T>
struct Predictions {
  Array<T> probs;
  std::vector<std::int64_t> predicted;
  std::vector<double> confidence;
  std::vector<double> minus_entropy;

  explicit Predictions(const json& logit_rows) {
    const Array<double> logits = test::tableOf<double>(logit_rows);
    probs = Array<T>::zeros(logits.shape());
    for (std::int64_t i = 0; i < logits.extent(0); ++i) {
      const std::vector<double> row = softmax(logits.row(i));
      for (std::size_t k = 0; k < row.size(); ++k) {
        probs.mutableRow(i)[k] = static_cast<T>(row[k]);
      }
      const std::span<const T> stored = probs.row(i);
      predicted.push_back(argmax(stored));
      confidence.push_back(confidenceOf(stored));
      minus_entropy.push_back(-entropyOf(stored));
    }
  }

  [[nodiscard]] const std::vector<double>& score(const std::string& name) const {
    return name == "confidence" ? confidence : minus_entropy;
  }
};

template <class T>
class Comparison {
 public:
  explicit Comparison(double tolerance)
      : tolerance_(tolerance),
        vectors_(test::readVectors("evaluation")),
        in_(vectors_.at("logits")),
        ood_(vectors_.at("ood_logits")),
        labels_(vectors_.at("labels").get<std::vector<std::int64_t>>()),
        correct_(test::outcomes(in_.predicted, labels_)) {}

  void run() const {
    for (const auto& [key, value] : vectors_.items()) {
      SCOPED_TRACE(key);
      if (key == "logits" || key == "ood_logits" || key == "labels" || key == "note") {
        continue;
      }
      if (!compareProperScore(key, value) && !compareCalibration(key, value) &&
          !compareRanking(key, value) && !isNotComputed(key)) {
        ADD_FAILURE() << "no comparison for " << key;
      }
    }
  }

 private:
  void expect(double actual, const json& expected, const std::string& where = "") const {
    EXPECT_TRUE(closeTo(actual, expected.get<double>(), tolerance_, tolerance_ * 1e-3)) << where;
  }

  bool compareProperScore(const std::string& key, const json& value) const {
    if (key == "accuracy") {
      const auto right = static_cast<double>(std::ranges::count(correct_, 1));
      expect(right / static_cast<double>(correct_.size()), value);
    } else if (key == "nll") {
      expect(negativeLogLikelihood(in_.probs, labels_), value);
      const RealArray logits = test::tableOf<T>(vectors_.at("logits"));
      const LabelledScores scores = labelledScores(in_.probs, &logits, labels_, RunContext());
      EXPECT_TRUE(scores.nll_is_of_logits);
      expect(scores.nll, value, "from logits");
    } else if (key == "brier") {
      expect(labelledScores(in_.probs, nullptr, labels_, RunContext()).brier, value);
    } else if (key == "mmc_in") {
      expect(meanConfidence(in_.confidence), value);
    } else if (key == "mmc_ood") {
      expect(meanConfidence(ood_.confidence), value);
    } else {
      return false;
    }
    return true;
  }

  bool compareCalibration(const std::string& key, const json& value) const {
    if (key == "reliability") {
      for (const auto& [bins, expected] : value.items()) {
        compareDiagram(equalWidthReliability(in_.confidence, correct_, std::stoll(bins)), expected,
                       bins);
      }
    } else if (key.starts_with("classwise_ece_")) {
      expect(classwiseCalibration(in_.probs, labels_, test::trailingNumber(key), RunContext()).mean,
             value);
    } else if (key.starts_with("with_ood_ece_") || key.starts_with("with_ood_mce_")) {
      std::vector<double> confidence = in_.confidence;
      confidence.insert(confidence.end(), ood_.confidence.begin(), ood_.confidence.end());
      std::vector<std::uint8_t> correct = correct_;
      correct.resize(confidence.size(), 0);
      const ReliabilityDiagram diagram =
          equalWidthReliability(confidence, correct, test::trailingNumber(key));
      expect(key.starts_with("with_ood_ece_") ? diagram.ece : diagram.mce, value);
    } else {
      return false;
    }
    return true;
  }

  // Empty bins are written as 0 in this file.
  void compareDiagram(const ReliabilityDiagram& diagram, const json& expected,
                      const std::string& where) const {
    expect(diagram.ece, expected.at("ece"), where);
    expect(diagram.mce, expected.at("mce"), where);
    expect(diagram.rmsce, expected.at("rmsce"), where);
    ASSERT_EQ(diagram.bins.size(), expected.at("count").size());
    for (std::size_t j = 0; j < diagram.bins.size(); ++j) {
      const ReliabilityBin& bin = diagram.bins[j];
      EXPECT_EQ(bin.count, expected.at("count").at(j).get<std::int64_t>()) << where;
      if (bin.count > 0) {
        expect(bin.accuracy, expected.at("accuracy").at(j), where);
        expect(bin.confidence, expected.at("confidence").at(j), where);
      }
    }
  }

  bool compareRanking(const std::string& key, const json& value) const {
    if (key != "correct_vs_misclassified" && key != "correct_vs_ood" &&
        key != "in_vs_ood_ood_positive") {
      return false;
    }
    for (const auto& [score, expected] : value.items()) {
      const std::vector<double>& in = in_.score(score);
      const std::vector<double>& ood = ood_.score(score);
      std::vector<double> of_correct;
      for (std::size_t i = 0; i < in.size(); ++i) {
        if (correct_[i] != 0) {
          of_correct.push_back(in[i]);
        }
      }
      const test::Ranked ranked = key == "correct_vs_misclassified" ? test::ranked(in, correct_)
                                  : key == "correct_vs_ood"
                                      ? test::rankedGroups(of_correct, ood)
                                      : test::rankedGroups(negated(ood), negated(in));
      const RankMetrics& metrics = ranked.walked.rank;
      expect(metrics.auroc, expected.at("auroc"), score);
      expect(metrics.aupr, expected.at("average_precision"), score);
      expect(metrics.fpr95, expected.at("fpr95"), score);
      EXPECT_EQ(expected.size(), 3U) << "a field of " << key << " is not compared";
    }
    return true;
  }

  static std::vector<double> negated(std::vector<double> values) {
    for (double& value : values) {
      value = -value;
    }
    return values;
  }

  static bool isNotComputed(const std::string& key) {
    return key.ends_with("_stable_order") || key == "retained_accuracy_entropy";
  }

  double tolerance_;
  json vectors_;
  Predictions<T> in_;
  Predictions<T> ood_;
  std::vector<std::int64_t> labels_;
  std::vector<std::uint8_t> correct_;
};

TEST(EvaluationVectors, EveryFieldAgreesInDouble) {
  Comparison<double>(1e-9).run();
}

TEST(EvaluationVectors, EveryFieldAgreesFromFloat32) {
  Comparison<float>(1e-5).run();
}

}  // namespace
}  // namespace dubito
