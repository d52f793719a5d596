// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/active_learning/curve_means.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/matchers.h"

namespace dubito {
namespace {

using study::Curve;

Curve curveOf(const std::string& by, std::uint64_t seed, const std::vector<double>& accuracies) {
  Curve curve{by, seed, {}, {}};
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    curve.points.push_back({static_cast<std::int64_t>(20 + 10 * i), accuracies[i], {}});
  }
  return curve;
}

constexpr std::array kErrors = {0.1, 0.05};

TEST(CurveMeans, CountsTheLabelsAtTheFirstPointThatReachesAnError) {
  const Curve curve = curveOf("bald", 0, {0.5, 0.9, 0.8, 0.95, 0.97});
  EXPECT_EQ(study::labelsNeeded(curve, 0.1), 30);
  EXPECT_EQ(study::labelsNeeded(curve, 0.05), 50);
  EXPECT_EQ(study::labelsNeeded(curve, 0.5), 20);
  EXPECT_EQ(study::labelsNeeded(curve, 0.01), 0);
}

TEST(CurveMeans, AveragesOverSeedsWithStandardErrors) {
  const std::vector<Curve> curves = {
      curveOf("bald", 0, {0.5, 0.90, 0.94, 0.96}), curveOf("random", 0, {0.4, 0.6, 0.7, 0.8}),
      curveOf("bald", 1, {0.6, 0.80, 0.92, 0.93}), curveOf("bald", 2, {0.7, 0.91, 0.95, 0.96})};
  const auto summaries = study::summarise(curves, 50, kErrors);
  ASSERT_EQ(summaries.size(), 2U);
  const auto& bald = summaries[0];
  EXPECT_EQ(bald.by, "bald");
  ASSERT_EQ(bald.points.size(), 4U);
  EXPECT_EQ(bald.points[0].labels, 20);
  EXPECT_EQ(bald.points[0].accuracy.seeds, 3);
  EXPECT_NEAR(bald.points[0].accuracy.mean, 0.6, 1e-12);
  EXPECT_NEAR(bald.points[0].accuracy.standard_error, 0.1 / std::sqrt(3.0), 1e-12);
  // 10 %: 30, 40 and 30 labels; 5 %: 50, never, 40.
  EXPECT_EQ(bald.needed[0].labels.seeds, 3);
  EXPECT_NEAR(bald.needed[0].labels.mean, 100.0 / 3.0, 1e-12);
  EXPECT_NEAR(bald.needed[0].labels.standard_error, 10.0 / 3.0, 1e-12);
  EXPECT_EQ(bald.needed[0].not_reached, 0);
  EXPECT_EQ(bald.needed[1].labels.seeds, 2);
  EXPECT_NEAR(bald.needed[1].labels.mean, 45.0, 1e-12);
  EXPECT_EQ(bald.needed[1].not_reached, 1);

  const auto csv = study::curvesCsv(summaries);
  ASSERT_EQ(csv.size(), 9U);
  EXPECT_EQ(csv[0], "acquisition,labels,seeds,accuracy,standard_error");
  EXPECT_EQ(csv[1], "bald,20,3,0.600000,0.057735");
  EXPECT_EQ(csv[5], "random,20,1,0.400000,");

  const auto table = study::labelsNeededTable(summaries);
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(table[0],
            "| acquisition | seeds | labels to 10 % error | labels to 5 % error | Gal et al. 2017, "
            "table 1, quoted from memory | error at the end |");
  EXPECT_EQ(table[2],
            "| bald | 3 | 33 ± 3 | 45 ± 5 (2 of 3 seeds; the others above 50) | 335 | 5.00 ± 1.00 "
            "% at 50 labels |");
  EXPECT_EQ(table[3], "| random | 1 | above 50 | above 50 | 835 | 20.00 % at 50 labels |");

  const nlohmann::json json = study::toJson(summaries);
  EXPECT_EQ(json["bald"]["labels_needed"][1]["not_reached"], 1);
  EXPECT_EQ(json["random"]["curve"][0]["labels"], 20);
  EXPECT_FALSE(json["random"]["curve"][0]["accuracy"].contains("standard_error"));
  EXPECT_FALSE(json["random"]["labels_needed"][1]["labels"].contains("mean"));
}

TEST(CurveMeans, LeavesOutWhatIsNotComputedYet) {
  const std::vector<Curve> curves = {curveOf("bald", 0, {0.5, 0.95, 0.96, 0.97, 0.98}),
                                     curveOf("bald", 1, {0.5, 0.7}), curveOf("bald", 2, {})};
  const auto summaries = study::summarise(curves, 50, kErrors);
  ASSERT_EQ(summaries.size(), 1U);
  EXPECT_EQ(summaries[0].points.back().labels, 50) << "longer curves are cut";
  EXPECT_EQ(summaries[0].points.back().accuracy.seeds, 1);
  EXPECT_EQ(summaries[0].points[1].accuracy.seeds, 2);
  EXPECT_EQ(summaries[0].needed[1].labels.seeds, 1);
  EXPECT_EQ(summaries[0].needed[1].not_reached, 0) << "an unfinished curve may still reach it";
  const std::vector<Curve> unfinished = {curveOf("entropy", 0, {0.5, 0.7})};
  EXPECT_THAT(study::labelsNeededTable(study::summarise(unfinished, 50, kErrors)).at(2),
              HasSubstr("| not yet | not yet | 355 | 30.00 % at 30 labels |"));
}

}  // namespace
}  // namespace dubito
