// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/zero_sum_plane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/labs/simplex/gaussian_check.h"
#include "core/labs/simplex/gaussian_choice.h"
#include "core/labs/simplex/logit_approximations.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

const LogitGaussian kGeneral{{0.6, -0.2, 0.1}, {0.5, 0.2, -0.1, 0.2, 0.6, 0.1, -0.1, 0.1, 0.4}};

void expectSame(const LogitGaussian& actual, const LogitGaussian& expected,
                const std::string& what) {
  for (std::size_t k = 0; k < expected.mean.size(); ++k) {
    EXPECT_TRUE(closeTo(actual.mean[k], expected.mean[k], 1e-12, 1e-12)) << what;
  }
  for (std::size_t i = 0; i < expected.covariance.size(); ++i) {
    EXPECT_TRUE(closeTo(actual.covariance[i], expected.covariance[i], 1e-12, 1e-12)) << what;
  }
}

TEST(PlaneEllipse, ReadingAndWritingBackChangesNothing) {
  expectSame(withPlane(kGeneral, planeGaussian(kGeneral)), kGeneral, "general");
  for (const GaussianPreset& preset : gaussianPresets()) {
    const LogitGaussian gaussian = preset.make();
    const PlaneGaussian plane = planeGaussian(gaussian);
    EXPECT_GE(plane.deviation[0], plane.deviation[1]);
    expectSame(withPlane(gaussian, plane), gaussian, preset.key);
    expectSame(zeroSumGaussian(plane, gaussian.mean.size()),
               transformedFor(BridgeVariant::kCentred, gaussian), preset.key);
  }
}

TEST(PlaneEllipse, AxesPointToTheCornersOfTheTriangle) {
  // A logit difference of classes 0 and 1 lies along the first coordinate, class 2 along the
  // second.
  const PlaneGaussian right = planeGaussian({{0, 0, 0}, {1, -1, 0, -1, 1, 0, 0, 0, 0}});
  EXPECT_NEAR(right.deviation[0], std::numbers::sqrt2, 1e-12);
  EXPECT_EQ(right.deviation[1], 0.0);
  EXPECT_NEAR(right.angle, 0.0, 1e-12);
  const PlaneGaussian up = planeGaussian({{0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 1.5}});
  EXPECT_NEAR(up.deviation[0], 1.0, 1e-12);
  EXPECT_NEAR(up.angle, 0.5 * std::numbers::pi, 1e-12);
  EXPECT_GT(planePoint(std::vector<double>{0.0, 1.0, 0.0})[0], 0.0);
}

TEST(PlaneEllipse, CovarianceOfTheEllipseIsThatOfThePlane) {
  const auto s = planeGaussian(kGeneral).covariance();
  // Var of (z_1 - z_0) / sqrt 2.
  EXPECT_NEAR(s[0], 0.5 * (0.6 - 2.0 * 0.2 + 0.5), 1e-12);
  // Var of (2 z_2 - z_0 - z_1) / sqrt 6.
  EXPECT_NEAR(s[2], (4.0 * 0.4 + 0.5 + 0.6 - 4.0 * (-0.1) - 4.0 * 0.1 + 2.0 * 0.2) / 6.0, 1e-12);
  // Covariance of both.
  EXPECT_NEAR(s[1], (2.0 * 0.1 - 2.0 * (-0.1) + 0.5 - 0.6) / std::sqrt(12.0), 1e-12);
}

TEST(PlaneEllipse, ADraggedHandleGoesWhereItIsDragged) {
  const PlaneGaussian plane = planeGaussian(kGeneral);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
    const auto here = axisEnd(plane, axis, 2.0);
    const PlaneGaussian same = withAxisEnd(plane, axis, here, 2.0);
    EXPECT_NEAR(same.angle, plane.angle, 1e-12);
    EXPECT_NEAR(same.deviation[0], plane.deviation[0], 1e-12);
    const std::array<double, 2> there{1.5, 2.0};
    const PlaneGaussian dragged = withAxisEnd(plane, axis, there, 2.0);
    EXPECT_EQ(dragged.deviation[1 - axis], plane.deviation[1 - axis]);
    const auto end = axisEnd(dragged, axis, 2.0);
    // The angle is that of a line, so the handle may change ends.
    const double side = (end[0] - plane.mean[0]) * (there[0] - plane.mean[0]) > 0.0 ? 1.0 : -1.0;
    EXPECT_NEAR(side * (end[0] - plane.mean[0]), there[0] - plane.mean[0], 1e-12);
    EXPECT_NEAR(side * (end[1] - plane.mean[1]), there[1] - plane.mean[1], 1e-12);
    const PlaneGaussian back = planeGaussian(withPlane(kGeneral, dragged));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(back.covariance()[i], dragged.covariance()[i], 1e-12);
    }
  }
  const PlaneGaussian collapsed = withAxisEnd(plane, 0, plane.mean, 2.0);
  EXPECT_EQ(collapsed.deviation[0], 1e-3);
  EXPECT_EQ(collapsed.angle, plane.angle);
}

TEST(PlaneEllipse, ADraggedCovarianceStaysPositiveSemiDefinite) {
  // Strongly correlated with the mean logit: keeping the covariances would be impossible.
  const LogitGaussian gaussian{{0, 0, 0}, {2.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1}};
  PlaneGaussian plane = planeGaussian(gaussian);
  const double total = sumsOfFull(gaussian.covariance).total;
  for (const double shrink : {0.5, 0.1, 0.001}) {
    plane.deviation = {shrink, 0.5 * shrink};
    const LogitGaussian dragged = withPlane(gaussian, plane);
    const auto checked = checkGaussian(dragged);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->jitter, 0.0) << shrink;
    EXPECT_GE(checked->smallest_eigenvalue, -1e-12);
    EXPECT_NEAR(sumsOfFull(dragged.covariance).total, total, 1e-12);
    EXPECT_NEAR(planeGaussian(dragged).deviation[0], shrink, 1e-9);
  }
  plane.deviation = {0.0, 0.0};
  EXPECT_EQ(checkGaussian(withPlane(gaussian, plane))->jitter, 0.0);
}

TEST(PlaneEllipse, PointsOfTheTriangleRoundTrip) {
  const Triple p{0.2, 0.7, 0.1};
  const Triple back = probsOfPlanePoint(planePointOfProbs(p));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(back[k], p[k], 1e-14);
  }
  EXPECT_TRUE(std::isfinite(planePointOfProbs({1.0, 0.0, 0.0})[0]));
  const PlaneGaussian plane = planeGaussian(kGeneral);
  const auto boundary = ellipseOnTriangle(plane, 2.0, 64);
  ASSERT_EQ(boundary.size(), 65U);
  EXPECT_EQ(boundary.front(), boundary.back());
  const Triple start = probsOfPlanePoint(axisEnd(plane, 0, 2.0));
  EXPECT_NEAR(boundary[0][0], start[0], 1e-14);
}

}  // namespace
}  // namespace dubito
