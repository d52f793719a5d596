// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/dirichlet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;
using Row = std::vector<double>;

// The differential entropy alone crosses zero.
constexpr double kNearItsZero = 1e-12;

void expectRow(const Row& actual, const Row& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t k = 0; k < actual.size(); ++k) {
    EXPECT_TRUE(closeTo(actual[k], expected[k], 1e-9)) << what << " of class " << k;
  }
}

TEST(Dirichlet, AgreesWithTheReference) {
  const nlohmann::json vectors = test::readVectors("dirichlet");
  const auto alphas = vectors.at("alpha").get<std::vector<Row>>();
  ASSERT_FALSE(alphas.empty());
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    const DirichletSummary summary = summariseDirichlet(alphas[i]);
    const std::string where = "row " + std::to_string(i);
    const auto value = [&](const char* key) { return vectors.at(key).at(i).get<double>(); };
    expectRow(summary.mean, vectors.at("mean").at(i).get<Row>(), "mean, " + where);
    expectRow(summary.variance, vectors.at("variance").at(i).get<Row>(), "variance, " + where);
    EXPECT_TRUE(closeTo(summary.expected_entropy, value("expected_entropy"), 1e-9)) << where;
    EXPECT_TRUE(closeTo(summary.entropy_of_mean, value("entropy_of_mean"), 1e-9)) << where;
    EXPECT_TRUE(closeTo(summary.mutual_information, value("mutual_information"), 1e-9)) << where;
    EXPECT_TRUE(
        closeTo(summary.differential_entropy, value("differential_entropy"), 1e-9, kNearItsZero))
        << where;
  }
}

// The comparisons are relative: a mutual information of 1e-33 must have its digits too.
TEST(Dirichlet, KeepsItsDigitsAtTheExtremes) {
  const nlohmann::json vectors = test::readVectors("special");
  const nlohmann::json& rows = vectors.at("dirichlet");
  ASSERT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) {
    const Row alpha = row.at("alpha").get<Row>();
    const DirichletSummary summary = summariseDirichlet(alpha);
    const std::string where = row.at("alpha").dump();
    expectRow(summary.mean, row.at("mean").get<Row>(), "mean of " + where);
    expectRow(summary.variance, row.at("variance").get<Row>(), "variance of " + where);
    expectRow(summary.rest, row.at("rest").get<Row>(), "rest of " + where);
    for (const auto& [key, actual] : std::vector<std::pair<std::string, double>>{
             {"entropy_of_mean", summary.entropy_of_mean},
             {"expected_entropy", summary.expected_entropy},
             {"mutual_information", summary.mutual_information}}) {
      EXPECT_TRUE(closeTo(actual, row.at(key).get<double>(), 1e-9)) << key << " of " << where;
    }
    EXPECT_TRUE(closeTo(summary.differential_entropy, row.at("differential_entropy").get<double>(),
                        1e-9, kNearItsZero))
        << where;
    for (std::size_t k = 0; k < alpha.size(); ++k) {
      const double threshold = proposition1Threshold(summary.rest[k]);
      EXPECT_TRUE(closeTo(threshold, row.at("proposition1_threshold").at(k).get<double>(), 1e-9))
          << where;
      EXPECT_EQ(alpha[k] > threshold, row.at("proposition1").at(k).get<bool>()) << where;
    }
  }
}

TEST(Dirichlet, SharesOfProposition1AgreeWithTheReference) {
  const nlohmann::json vectors = test::readVectors("special");
  for (const nlohmann::json& row : vectors.at("dirichlet")) {
    const Row alpha = row.at("alpha").get<Row>();
    const auto fulfilled = row.at("proposition1").get<std::vector<bool>>();
    const Proposition1 result = checkProposition1(alpha);
    EXPECT_DOUBLE_EQ(result.share_of_classes,
                     static_cast<double>(std::count(fulfilled.begin(), fulfilled.end(), true)) /
                         static_cast<double>(alpha.size()));
    const auto predicted =
        static_cast<std::size_t>(std::max_element(alpha.begin(), alpha.end()) - alpha.begin());
    EXPECT_EQ(result.by_predicted_class, fulfilled[predicted]);
  }
  EXPECT_THROW(static_cast<void>(checkProposition1(Row{1.0})), std::invalid_argument);
}

TEST(Dirichlet, PartsAddUpWithinTheirBounds) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-14.0, 14.0);
  for (int trial = 0; trial < 2000; ++trial) {
    Row alpha(static_cast<std::size_t>(2 + trial % 9));
    for (double& value : alpha) {
      value = std::pow(10.0, exponent(random));
    }
    const DirichletSummary summary = summariseDirichlet(alpha);
    EXPECT_TRUE(closeTo(summary.expected_entropy + summary.mutual_information,
                        summary.entropy_of_mean, 1e-9))
        << nlohmann::json(alpha).dump();
    EXPECT_GE(summary.mutual_information, 0.0);
    EXPECT_LE(summary.entropy_of_mean, std::log(static_cast<double>(alpha.size())) * (1 + 1e-12));
  }
}

TEST(Dirichlet, RefusesWhatIsNoDirichlet) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const Row& alpha :
       {Row{}, Row{1.0}, Row{1.0, 0.0}, Row{1.0, -2.0}, Row{1.0, inf}, Row{1.0, std::nan("")}}) {
    EXPECT_THROW(static_cast<void>(summariseDirichlet(alpha)), std::invalid_argument);
  }
}

}  // namespace
}  // namespace dubito
