// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/beta_figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

double area(const Curve& curve) {
  double sum = 0.0;
  for (const double y : curve.y) {
    sum += y;
  }
  return sum * (curve.x[1] - curve.x[0]);
}

TEST(BetaFigure, EveryCurveIsADensity) {
  const BetaFigure figure = betaFigure(4.0, 2.5, 2000);
  EXPECT_NEAR(area(figure.beta), 1.0, 1e-5);
  EXPECT_NEAR(area(figure.beta_of_logit), 1.0, 1e-3);
  EXPECT_NEAR(area(figure.laplace_of_logit), 1.0, 1e-5);
  EXPECT_NEAR(area(figure.bridge), 1.0, 1e-5);
}

TEST(BetaFigure, LaplaceApproximationsMatchTheCurvatureAtTheMode) {
  const BetaFigure figure = betaFigure(30.0, 20.0, 4000);
  ASSERT_TRUE(figure.laplace);
  // Near the mode, the ratio to the density is constant to second order.
  const auto ratio = [](const Curve& curve, const Curve& of, double x) {
    const auto i = static_cast<std::size_t>((x - of.x[0]) / (of.x[1] - of.x[0]) + 0.5);
    return curve.y[i] / of.y[i];
  };
  const double mode = 29.0 / 48.0;
  EXPECT_TRUE(closeTo(ratio(*figure.laplace, figure.beta, mode + 0.01),
                      ratio(*figure.laplace, figure.beta, mode - 0.01), 2e-3));
  const double peak = std::log(1.5);
  EXPECT_TRUE(closeTo(ratio(figure.laplace_of_logit, figure.beta_of_logit, peak + 0.05),
                      ratio(figure.laplace_of_logit, figure.beta_of_logit, peak - 0.05), 2e-3));
}

TEST(BetaFigure, WithoutAnInteriorMaximumOnlyTheLogitHasALaplaceApproximation) {
  const BetaFigure figure = betaFigure(0.8, 0.9, 500);
  EXPECT_FALSE(figure.laplace);
  // p = 1/2 is y = 0: densities differ by dp/dy = 1/4.
  const BetaFigure fine = betaFigure(0.8, 0.8, 1001);
  EXPECT_TRUE(closeTo(fine.beta_of_logit.y[500], 0.25 * fine.beta.y[500], 1e-9));
  EXPECT_TRUE(closeTo(fine.laplace_of_logit.y[500], 0.25 * fine.bridge.y[500], 1e-9));
  EXPECT_THROW((void)betaFigure(0.0, 1.0, 100), std::invalid_argument);
  EXPECT_THROW((void)betaFigure(1.0, 1.0, 1), std::invalid_argument);
}

}  // namespace
}  // namespace dubito
