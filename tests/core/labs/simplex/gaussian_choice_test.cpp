// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/gaussian_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/labs/simplex/gaussian_check.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

std::string errorOf(const LogitGaussian& gaussian) {
  const auto checked = checkGaussian(gaussian);
  return checked ? "" : checked.error().message;
}

TEST(GaussianCheck, ErrorsNameTheElementAndTheRemedy) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(errorOf({{0.0, 0.0}, {1.0, 0.2, 0.3, 1.0}}),
            "the covariance is not symmetric: row 1, column 2 is 0.2, but row 2, column 1 is 0.3; "
            "make the two equal");
  EXPECT_EQ(errorOf({{0.0, 0.0}, {1.0, nan, nan, 1.0}}),
            "row 1, column 2 of the covariance is nan; give a number between -1000000 and 1000000");
  EXPECT_EQ(errorOf({{0.0, nan}, {1.0, 0.0, 0.0, 1.0}}),
            "the mean of logit 2 is nan; give a number between -1000000 and 1000000");
  EXPECT_EQ(errorOf({{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 1.0}}),
            "the covariance has 4 numbers for 3 logits; give 3 rows of 3 numbers each");
  EXPECT_EQ(errorOf({{0.0}, {1.0}}), "the Gaussian has 1 logits; give a mean of 2 to 1000 numbers");
  EXPECT_EQ(
      errorOf({{0.0, 0.0}, {-1.0, 0.0, 0.0, -2.0}}),
      "the covariance has no positive eigenvalue (the largest is -1); give positive variances");
}

TEST(GaussianCheck, AnIndefiniteCovarianceGetsJitterAndAWarning) {
  // Eigenvalues 1 + 1.5 and 1 - 1.5.
  const auto checked = checkGaussian({{0.0, 0.0}, {1.0, 1.5, 1.5, 1.0}});
  ASSERT_TRUE(checked);
  EXPECT_TRUE(closeTo(checked->smallest_eigenvalue, -0.5, 1e-12));
  EXPECT_TRUE(closeTo(checked->jitter, 0.5025, 1e-12));
  EXPECT_EQ(checked->gaussian.covariance[0], 1.0 + checked->jitter);
  EXPECT_EQ(checked->gaussian.covariance[1], 1.5);
  ASSERT_EQ(checked->warnings.size(), 1U);
  EXPECT_NE(checked->warnings[0].find("smallest eigenvalue is -0.5"), std::string::npos);
  const auto again = checkGaussian(checked->gaussian);
  ASSERT_TRUE(again);
  EXPECT_GT(again->smallest_eigenvalue, 0.0);
  EXPECT_EQ(again->jitter, 0.0);
}

TEST(GaussianCheck, ASingularCovarianceIsAcceptedAsItIs) {
  const auto zero_sum = checkGaussian(dirichletToLogitGaussian(std::vector<double>{2.0, 3.0, 4.0}));
  ASSERT_TRUE(zero_sum);
  EXPECT_EQ(zero_sum->jitter, 0.0);
  const auto point = checkGaussian({{1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}});
  ASSERT_TRUE(point);
  EXPECT_TRUE(point->warnings.empty());
}

TEST(GaussianChoice, PresetsAreUsableAndHaveDistinctKeys) {
  std::set<std::string> keys;
  for (const GaussianPreset& preset : gaussianPresets()) {
    EXPECT_TRUE(keys.insert(preset.key).second) << preset.key;
    GaussianChoice choice;
    choice.gaussian = preset.key;
    EXPECT_TRUE(choice.check()) << preset.key;
    const auto checked = checkGaussian(preset.make());
    ASSERT_TRUE(checked) << preset.key;
    EXPECT_TRUE(checked->warnings.empty()) << preset.key;
  }
}

TEST(GaussianChoice, NumbersAreReadAsAMatrixOrAsVariances) {
  GaussianChoice choice;
  choice.gaussian = "given";
  choice.mean = "1, -2.5";
  choice.covariance = "2, 0.5; 0.5, 1e-2";
  auto gaussian = chosenGaussian(choice, 0);
  ASSERT_TRUE(gaussian);
  EXPECT_EQ(gaussian->mean, (std::vector<double>{1.0, -2.5}));
  EXPECT_EQ(gaussian->covariance, (std::vector<double>{2.0, 0.5, 0.5, 0.01}));
  EXPECT_EQ(numbersText(gaussian->covariance, 2), "2, 0.5; 0.5, 0.01");
  choice.covariance = "2 3";
  gaussian = chosenGaussian(choice, 0);
  ASSERT_TRUE(gaussian);
  EXPECT_EQ(gaussian->covariance, (std::vector<double>{2.0, 0.0, 0.0, 3.0}));
}

TEST(GaussianChoice, TextThatIsNoListOfNumbersIsAnError) {
  GaussianChoice choice;
  choice.gaussian = "given";
  choice.mean = "1, x";
  const auto gaussian = chosenGaussian(choice, 0);
  ASSERT_FALSE(gaussian);
  EXPECT_EQ(gaussian.error().message, "the mean is '1, x'; give numbers separated by commas");
  EXPECT_EQ(gaussian.error().remedy.settings, std::vector{setting("mean")});
  EXPECT_FALSE(choice.check());
  choice.mean = " ";
  EXPECT_FALSE(chosenGaussian(choice, 0));
  choice.gaussian = "dirichlet";
  choice.alpha = "2, -1";
  const Status negative = choice.check();
  ASSERT_FALSE(negative);
  EXPECT_NE(negative.error().message.find("alpha is '2, -1'; give two or more numbers between"),
            std::string::npos);
  EXPECT_EQ(negative.error().remedy.settings, std::vector{setting("alpha")});
  choice.gaussian = "unknown";
  EXPECT_FALSE(choice.check());
}

TEST(GaussianChoice, RandomGaussiansAreKeyedAndHaveTheStatedScale) {
  GaussianChoice choice;
  choice.gaussian = "random";
  choice.classes = 300;
  choice.deviation = 0.7;
  for (const std::int64_t factors : {0, 3}) {
    choice.factors = factors;
    const auto gaussian = chosenGaussian(choice, 5);
    ASSERT_TRUE(gaussian);
    EXPECT_EQ(chosenGaussian(choice, 5)->covariance, gaussian->covariance);
    EXPECT_NE(chosenGaussian(choice, 6)->mean, gaussian->mean);
    const auto checked = checkGaussian(*gaussian);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->jitter, 0.0);
    double mean = 0.0;
    double variance = 0.0;
    for (std::size_t k = 0; k < 300; ++k) {
      mean += gaussian->mean[k] * gaussian->mean[k] / 300.0;
      variance += gaussian->covariance[k * 301] / 300.0;
    }
    EXPECT_NEAR(mean, 4.0, 5.0 * 4.0 * std::sqrt(2.0 / 300.0));
    EXPECT_NEAR(variance, 0.49, 5.0 * 0.49 / std::sqrt(300.0));
  }
}

}  // namespace
}  // namespace dubito
