// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/label_errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "core/measures/measures.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/core/metrics/vector_sections.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;

constexpr const char* kRules[] = {"prune-by-noise-rate", "prune-by-class", "both",
                                  "confident-learning", "predicted-neq-given"};

dubito::Run runOf(const Array<double>& probs, std::vector<std::int64_t> labels) {
  dubito::Run run;
  run.probs = probs;
  std::vector<std::int64_t> ids(labels.size());
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.meta.role = "test";
  return run;
}

/// A network that is right with some probability, with a share of wrong labels, some of them
/// missing, in an arbitrary order of ids.
dubito::Run noisyRun(std::int64_t items, std::int64_t classes, unsigned seed) {
  dubito::Run run = test::randomRun(items, classes, 2.0, seed, true, false);
  std::mt19937_64 random(seed + 1000);
  std::uniform_int_distribution<std::int64_t> any(-1, classes - 1);
  std::bernoulli_distribution is_changed(0.2);
  std::vector<std::int64_t> labels(run.labels.values().begin(), run.labels.values().end());
  for (std::int64_t& label : labels) {
    label = is_changed(random) ? any(random) : label;
  }
  std::vector<std::int64_t> ids(run.ids.values().begin(), run.ids.values().end());
  std::shuffle(ids.begin(), ids.end(), random);
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.meta.role = "test";
  return run;
}

LabelErrors found(const dubito::Run& run, const std::string& rule, int threads = 1) {
  RunContext context;
  context.threads = threads;
  const auto errors = findLabelErrors(run, "run", {.rule = rule}, context);
  EXPECT_OK(errors);
  return errors.value_or(LabelErrors());
}

/// Confident learning as the paper writes it, one item, pair and sort at a time.
class PlainTwin {
 public:
  explicit PlainTwin(const dubito::Run& run) : run_(run), classes_(run.classCount()) {
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      if (given(i) >= 0) {
        rows_[given(i)].push_back(i);
      }
    }
    for (auto& [label, rows] : rows_) {
      for (const std::int64_t row : rows) {
        thresholds_[label] += run.prob(row, label) / static_cast<double>(rows.size());
      }
    }
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      if (given(i) >= 0 && confident(i) >= 0) {
        ++joint_[{given(i), confident(i)}];
      }
    }
    for (std::int64_t k = 0; k < classes_; ++k) {
      auto& diagonal = joint_[{k, k}];
      diagonal = std::max<std::int64_t>(diagonal, 1);
    }
  }

  [[nodiscard]] std::int64_t given(std::int64_t i) const { return run_.labels.data()[i]; }
  [[nodiscard]] std::int64_t joint(std::int64_t k, std::int64_t l) const {
    const auto entry = joint_.find({k, l});
    return entry == joint_.end() ? 0 : entry->second;
  }
  /// Infinite for a class that no item was given.
  [[nodiscard]] double threshold(std::int64_t k) const {
    return thresholds_.contains(k) ? thresholds_.at(k) : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] std::int64_t confident(std::int64_t i) const {
    std::int64_t best = -1;
    for (std::int64_t k = 0; k < classes_; ++k) {
      const bool reaches =
          thresholds_.contains(k) && run_.prob(i, k) >= thresholds_.at(k) - kThresholdTolerance;
      if (reaches && (best < 0 || run_.prob(i, k) > run_.prob(i, best))) {
        best = k;
      }
    }
    return best;
  }

  /// Rows of a rule, given the calibrated counts.
  [[nodiscard]] std::set<std::int64_t> issues(const std::string& rule,
                                              const PairCounts& calibrated) const {
    std::set<std::int64_t> by_rate;
    std::set<std::int64_t> by_class;
    std::set<std::int64_t> rows;
    for (const auto& [k, given_rows] : rows_) {
      std::int64_t wrong = 0;
      for (std::int64_t l = 0; l < classes_; ++l) {
        const std::int64_t count = calibrated.count(k, l);
        if (l != k) {
          wrong += count;
          insertLowest(
              given_rows, count,
              [&, k = k](std::int64_t i) { return run_.prob(i, k) - run_.prob(i, l); }, by_rate);
        }
      }
      insertLowest(
          given_rows, wrong, [&, k = k](std::int64_t i) { return run_.prob(i, k); }, by_class);
    }
    for (std::int64_t i = 0; i < run_.itemCount(); ++i) {
      const bool suspected = rule == "prune-by-noise-rate" ? by_rate.contains(i)
                             : rule == "prune-by-class"    ? by_class.contains(i)
                             : rule == "both" ? by_rate.contains(i) && by_class.contains(i)
                             : rule == "confident-learning"
                                 ? confident(i) >= 0 && confident(i) != given(i)
                                 : true;
      if (given(i) >= 0 && suspected && run_.predictions.data()[i] != given(i)) {
        rows.insert(i);
      }
    }
    return rows;
  }

 private:
  template <class Score>
  void insertLowest(std::vector<std::int64_t> rows, std::int64_t count, const Score& score,
                    std::set<std::int64_t>& into) const {
    std::ranges::sort(rows, [&](std::int64_t a, std::int64_t b) {
      return score(a) != score(b) ? score(a) < score(b) : run_.ids.data()[a] < run_.ids.data()[b];
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(count)));
    into.insert(rows.begin(), rows.end());
  }

  const dubito::Run& run_;
  std::int64_t classes_;
  std::map<std::int64_t, std::vector<std::int64_t>> rows_;
  std::map<std::int64_t, double> thresholds_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> joint_;
};

TEST(LabelErrors, AgreesWithTheReferenceInEveryField) {
  const json vectors = test::readVectors("review").at("label_errors");
  const dubito::Run run = runOf(test::tableOf<double>(vectors.at("probs")),
                                vectors.at("given").get<std::vector<std::int64_t>>());
  const std::pair<const char*, const char*> rules[] = {
      {"prune-by-noise-rate", "issues_prune_by_noise_rate"},
      {"prune-by-class", "issues_prune_by_class"},
      {"both", "issues_both"},
      {"confident-learning", "issues_confident_learning"},
      {"predicted-neq-given", "issues_predicted_neq_given"}};
  for (const auto& [rule, key] : rules) {
    const LabelErrors errors = found(run, rule);
    EXPECT_EQ(errors.issues, vectors.at(key).get<std::vector<std::int64_t>>()) << rule;
  }
  const LabelErrors errors = found(run, kRules[0]);
  EXPECT_EQ(errors.items, 240);
  EXPECT_EQ(errors.left_out, 0);
  EXPECT_EQ(errors.estimated, vectors.at("num_label_issues").get<std::int64_t>());
  const auto thresholds = vectors.at("thresholds").get<std::vector<double>>();
  ASSERT_EQ(errors.thresholds.size(), thresholds.size());
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    EXPECT_TRUE(closeTo(errors.thresholds[k], thresholds[k], 1e-13));
    for (std::size_t l = 0; l < thresholds.size(); ++l) {
      const auto row = static_cast<std::int64_t>(k);
      const auto column = static_cast<std::int64_t>(l);
      EXPECT_EQ(errors.confident_joint.count(row, column),
                vectors.at("confident_joint_uncalibrated")[k][l].get<std::int64_t>());
      const double joint = static_cast<double>(errors.calibrated_joint.count(row, column)) / 240.0;
      EXPECT_TRUE(closeTo(joint, vectors.at("joint")[k][l].get<double>(), 1e-14));
    }
  }
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(errors.self_confidence.data()[i], vectors.at("self_confidence")[at].get<double>());
    EXPECT_TRUE(closeTo(errors.normalised_margin.data()[i],
                        vectors.at("normalized_margin")[at].get<double>(), 1e-14));
  }
}

TEST(LabelErrors, AgreesWithThePlainTwin) {
  for (const std::int64_t classes : {2, 3, 8, 150}) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      const dubito::Run run = noisyRun(400, classes, seed);
      const PlainTwin twin(run);
      for (const char* const rule : kRules) {
        const LabelErrors errors = found(run, rule);
        for (std::int64_t k = 0; k < classes; ++k) {
          const double threshold = errors.thresholds[static_cast<std::size_t>(k)];
          EXPECT_TRUE(threshold == twin.threshold(k) ||
                      closeTo(threshold, twin.threshold(k), 1e-12));
          for (std::int64_t l = 0; l < classes; ++l) {
            EXPECT_EQ(errors.confident_joint.count(k, l), twin.joint(k, l));
          }
        }
        if (classes > 8) {
          continue;  // the twin has no rule for classes of one item, or without right ones
        }
        const auto expected = twin.issues(rule, errors.calibrated_joint);
        EXPECT_EQ(errors.issues, std::vector<std::int64_t>(expected.begin(), expected.end()))
            << rule << ", " << classes << " classes, seed " << seed;
      }
    }
  }
}

TEST(LabelErrors, TheCalibratedJointKeepsTheNumberOfGivenLabels) {
  for (const std::int64_t classes : {2, 5, 11}) {
    const dubito::Run run = noisyRun(777, classes, 5);
    const LabelErrors errors = found(run, kRules[0]);
    for (std::int64_t k = 0; k < classes; ++k) {
      const auto row = errors.calibrated_joint.denseRow(k);
      EXPECT_EQ(std::accumulate(row.begin(), row.end(), std::int64_t{0}),
                std::ranges::count(run.labels.values(), k));
      EXPECT_GE(*std::ranges::min_element(row), 0);
    }
  }
}

TEST(LabelErrors, DoesNotDependOnTheOrderOfTheRowsOrOnThreads) {
  const dubito::Run run = noisyRun(70'000, 4, 6);
  std::vector<std::int64_t> order(static_cast<std::size_t>(run.itemCount()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  dubito::Run shuffled = run;
  Array<float> probs = Array<float>::zeros({run.itemCount(), 4});
  shuffled.labels = Array<std::int64_t>::zeros({run.itemCount()});
  shuffled.ids = Array<std::int64_t>::zeros({run.itemCount()});
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t from = order[static_cast<std::size_t>(i)];
    std::ranges::copy(std::get<Array<float>>(*run.probs).row(from), probs.mutableRow(i).begin());
    shuffled.labels.mutableData()[i] = run.labels.data()[from];
    shuffled.ids.mutableData()[i] = run.ids.data()[from];
  }
  shuffled.probs = probs;
  const auto idsOf = [](const dubito::Run& of, const std::vector<std::int64_t>& rows) {
    std::set<std::int64_t> ids;
    for (const std::int64_t row : rows) {
      ids.insert(of.ids.data()[row]);
    }
    return ids;
  };
  for (const char* const rule : kRules) {
    const LabelErrors one = found(run, rule, 1);
    const LabelErrors many = found(run, rule, 4);
    EXPECT_EQ(one.issues, many.issues) << rule;
    EXPECT_EQ(one.thresholds, many.thresholds);
    EXPECT_EQ(one.estimated, many.estimated);
    EXPECT_EQ(idsOf(run, one.issues), idsOf(shuffled, found(shuffled, rule).issues)) << rule;
  }
}

TEST(LabelErrors, RenamedClassesGiveRenamedResults) {
  const dubito::Run run = noisyRun(500, 3, 8);
  const std::int64_t renamed[] = {2, 0, 1};
  dubito::Run other = run;
  Array<float> probs = Array<float>::zeros({run.itemCount(), 3});
  other.labels = Array<std::int64_t>::zeros({run.itemCount()});
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    for (std::int64_t k = 0; k < 3; ++k) {
      probs.mutableRow(i)[static_cast<std::size_t>(renamed[k])] =
          static_cast<float>(run.prob(i, k));
    }
    const std::int64_t label = run.labels.data()[i];
    other.labels.mutableData()[i] = label < 0 ? -1 : renamed[label];
  }
  other.probs = probs;
  const LabelErrors before = found(run, "confident-learning");
  const LabelErrors after = found(other, "confident-learning");
  EXPECT_EQ(before.issues, after.issues);
  for (std::int64_t k = 0; k < 3; ++k) {
    for (std::int64_t l = 0; l < 3; ++l) {
      EXPECT_EQ(before.confident_joint.count(k, l),
                after.confident_joint.count(renamed[k], renamed[l]));
    }
  }
}

TEST(LabelErrors, LeavesOutItemsWithoutAGivenLabel) {
  const dubito::Run run = noisyRun(300, 3, 9);
  const auto unlabelled =
      std::ranges::count_if(run.labels.values(), [](std::int64_t label) { return label < 0; });
  ASSERT_GT(unlabelled, 0);
  std::vector<std::int64_t> kept;
  std::vector<float> probs;
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    if (run.labels.data()[i] >= 0) {
      const auto row = std::get<Array<float>>(*run.probs).row(i);
      probs.insert(probs.end(), row.begin(), row.end());
      labels.push_back(run.labels.data()[i]);
      ids.push_back(run.ids.data()[i]);
      kept.push_back(i);
    }
  }
  const auto n = static_cast<std::int64_t>(kept.size());
  dubito::Run labelled = test::runOf(Array<float>::fromVector({n, 3}, probs), labels, "labelled");
  labelled.ids = Array<std::int64_t>::fromVector(ids);
  for (const char* const rule : kRules) {
    const LabelErrors of_all = found(run, rule);
    const LabelErrors of_labelled = found(labelled, rule);
    EXPECT_EQ(of_all.items, n);
    EXPECT_EQ(of_all.left_out, unlabelled);
    EXPECT_EQ(of_all.thresholds, of_labelled.thresholds);
    EXPECT_EQ(of_all.estimated, of_labelled.estimated);
    std::vector<std::int64_t> rows;
    for (const std::int64_t row : of_labelled.issues) {
      rows.push_back(kept[static_cast<std::size_t>(row)]);
    }
    EXPECT_EQ(of_all.issues, rows) << rule;
  }
  const LabelErrors errors = found(run, kRules[0]);
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    EXPECT_EQ(std::isnan(errors.self_confidence.data()[i]), run.labels.data()[i] < 0);
    EXPECT_EQ(std::isnan(errors.normalised_margin.data()[i]), run.labels.data()[i] < 0);
  }
}

TEST(LabelErrors, KnowsClassesThatNoItemWasGiven) {
  // Class 2 is never given; class 1 is given once, wrongly.
  const Array<double> probs = Array<double>::fromVector(
      {5, 3}, {0.9, 0.05, 0.05, 0.8, 0.1, 0.1, 0.1, 0.1, 0.8, 0.7, 0.2, 0.1, 0.95, 0.03, 0.02});
  const dubito::Run run = runOf(probs, {0, 0, 0, 0, 1});
  const LabelErrors errors = found(run, "prune-by-class");
  EXPECT_TRUE(std::isinf(errors.thresholds[2]));
  EXPECT_NEAR(errors.thresholds[1], 0.03, 1e-15);
  EXPECT_EQ(errors.confident_joint.count(2, 2), 1);  // as for every class
  EXPECT_EQ(errors.calibrated_joint.count(2, 2), 0);
  // The only item of its class is kept.
  EXPECT_TRUE(std::ranges::find(errors.issues, 4) == errors.issues.end());
  EXPECT_EQ(found(run, "predicted-neq-given").issues, (std::vector<std::int64_t>{2, 4}));
}

TEST(LabelErrors, ATieWithTheLabelIsNoEvidence) {
  // Items 0 and 2 tie exactly with a class before and behind the label, item 4 is behind by less
  // than the tolerance (cleanlab 2.9 keeps the same three), item 6 is suspected.
  std::vector<double> probs;
  std::vector<std::int64_t> labels;
  for (int i = 0; i < 40; ++i) {
    const double high = 0.6 + 0.005 * i;
    probs.insert(probs.end(), i % 2 == 0 ? std::initializer_list<double>{high, 1.0 - high}
                                         : std::initializer_list<double>{1.0 - high, high});
    labels.push_back(i % 2);
  }
  const auto set = [&](std::size_t item, double first, std::int64_t label) {
    probs[2 * item] = first;
    probs[2 * item + 1] = 1.0 - first;
    labels[item] = label;
  };
  set(0, 0.5, 1);
  set(2, 0.5, 0);
  set(4, 0.5 + 1e-7, 1);
  set(6, 0.99, 1);
  const dubito::Run run = runOf(Array<double>::fromVector({40, 2}, probs), labels);
  for (const char* const rule : kRules) {
    const auto issues = found(run, rule).issues;
    EXPECT_EQ(std::ranges::count_if(issues, [](std::int64_t row) { return row < 6; }), 0) << rule;
    EXPECT_NE(std::ranges::find(issues, 6), issues.end()) << rule;
  }
}

TEST(LabelErrors, KeepsAnItemOfAClassWithWrongLabelsOnly) {
  // All items given 1 look like 0, but one keeps the label: the pair's count falls by one.
  std::vector<double> probs;
  std::vector<std::int64_t> labels;
  for (int i = 0; i < 60; ++i) {
    const bool is_given_one = i % 2 == 1;
    const double p = is_given_one ? 0.99 - 0.001 * i : 0.9;
    probs.insert(probs.end(), {p, 1.0 - p});
    labels.push_back(is_given_one ? 1 : 0);
  }
  const dubito::Run run = runOf(Array<double>::fromVector({60, 2}, probs), labels);
  const LabelErrors errors = found(run, "prune-by-class");
  EXPECT_EQ(errors.confident_joint.count(1, 0) + errors.confident_joint.count(1, 1), 31);
  EXPECT_LE(errors.issues.size(), 29U);
  EXPECT_GT(errors.issues.size(), 20U);
}

TEST(LabelErrors, SaysWhetherTheItemsWereTrainedOn) {
  dubito::Run run = noisyRun(100, 3, 10);
  EXPECT_FALSE(found(run, kRules[0]).trained_on_items);
  EXPECT_EQ(found(run, kRules[0]).caveat, "");
  run.meta.role = "train";
  EXPECT_TRUE(found(run, kRules[0]).trained_on_items);
  EXPECT_THAT(found(run, kRules[0]).caveat, HasSubstr("role train"));
  run.meta.role = "";
  EXPECT_FALSE(found(run, kRules[0]).trained_on_items);
  EXPECT_THAT(found(run, kRules[0]).caveat, HasSubstr("does not say"));
}

TEST(LabelErrors, RefusesWrongInput) {
  const dubito::Run run = noisyRun(20, 3, 11);
  const RunContext context;
  const auto rule = findLabelErrors(run, "run", {.rule = "guess"}, context);
  ASSERT_FALSE(rule);
  EXPECT_THAT(rule.error().message, HasSubstr("prune-by-noise-rate"));
  const auto none = findLabelErrors(test::confidenceOnly(run), "r.csv", {}, context);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("r.csv: has confidences but no probabilities"));
  const auto unlabelled =
      findLabelErrors(test::randomRun(20, 3, 1.0, 1, false, false), "r.npz", {}, context);
  ASSERT_FALSE(unlabelled);
  EXPECT_THAT(unlabelled.error().message, HasSubstr("r.npz: none of its 20 items has a label"));
  const auto single = findLabelErrors(runOf(Array<double>::fromVector({2, 1}, {1.0, 1.0}), {0, 0}),
                                      "one", {}, context);
  ASSERT_FALSE(single);
  EXPECT_THAT(single.error().message, HasSubstr("single class"));
  EXPECT_THROW(static_cast<void>(findLabelErrors(
                   runOf(Array<double>::fromVector({1, 2}, {0.5, 0.5}), {2}), "x", {}, context)),
               std::invalid_argument);
  context.control()->requestCancel();
  EXPECT_EQ(findLabelErrors(run, "run", {}, context).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(labelQuality(run, "run", context).error().code, ErrorCode::kCancelled);
}

TEST(LabelErrors, QualityAloneIsTheSame) {
  const dubito::Run run = noisyRun(200, 4, 12);
  const LabelErrors errors = found(run, kRules[0]);
  const auto quality = labelQuality(run, "run", RunContext());
  ASSERT_OK(quality);
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    EXPECT_TRUE(closeTo(quality->self_confidence.data()[i], errors.self_confidence.data()[i], 0.0));
    EXPECT_TRUE(
        closeTo(quality->normalised_margin.data()[i], errors.normalised_margin.data()[i], 0.0));
  }
}

}  // namespace
}  // namespace dubito
