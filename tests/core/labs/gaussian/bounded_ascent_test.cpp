// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/bounded_ascent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/labs/gaussian/evidence_search.h"

namespace dubito {
namespace {

using Numbers = std::vector<double>;

/// Rosenbrock's function, negative: maximum 0 at (1, 1).
Expected<AscentValue> valley(std::span<const double> p) {
  const double a = p[1] - p[0] * p[0];
  const double b = 1.0 - p[0];
  return AscentValue{-100.0 * a * a - b * b, {400.0 * a * p[0] + 2.0 * b, -200.0 * a}};
}

/// Steps up to convergence; the value must never fall.
BoundedAscent climbed(const AscentFunction& function, Numbers start, AscentBounds bounds) {
  auto ascent = BoundedAscent::begin(function, std::move(start), std::move(bounds)).value();
  for (int i = 0; i < 500 && !ascent.converged(); ++i) {
    const double before = ascent.value();
    EXPECT_TRUE(ascent.step(function));
    EXPECT_GE(ascent.value(), before);
  }
  EXPECT_TRUE(ascent.converged());
  return ascent;
}

TEST(BoundedAscent, FindsTheMaximumInACurvedValley) {
  const BoundedAscent ascent = climbed(valley, {-1.2, 1.0}, {{-5, -5}, {5, 5}});
  EXPECT_NEAR(ascent.point()[0], 1.0, 1e-4);
  EXPECT_NEAR(ascent.point()[1], 1.0, 1e-4);
}

TEST(BoundedAscent, StopsAtABound) {
  const BoundedAscent ascent = climbed(valley, {-1.2, 1.0}, {{-5, -5}, {0.5, 5}});
  EXPECT_EQ(ascent.point()[0], 0.5);
  EXPECT_NEAR(ascent.point()[1], 0.25, 1e-6);
}

TEST(BoundedAscent, StepsBackWhereTheFunctionFails) {
  const auto function = [](std::span<const double> p) -> Expected<AscentValue> {
    if (p[0] >= 1.0) {
      return fail(ErrorCode::kInvalidArgument, "not defined");
    }
    return AscentValue{p[0] - std::pow(p[0], 4), {1.0 - 4.0 * std::pow(p[0], 3)}};
  };
  EXPECT_NEAR(climbed(function, {-3.0}, {{-10}, {10}}).point()[0], std::cbrt(0.25), 1e-5);
}

TEST(BoundedAscent, PassesOnErrorsAndCancelling) {
  const auto nan = [](std::span<const double>) -> Expected<AscentValue> {
    return AscentValue{std::nan(""), {0.0}};
  };
  EXPECT_FALSE(BoundedAscent::begin(nan, {0.0}, {{-1}, {1}}));
  auto ascent = BoundedAscent::begin(valley, {0.0, 0.0}, {{-5, -5}, {5, 5}}).value();
  const Status status =
      ascent.step([](std::span<const double>) -> Expected<AscentValue> { return cancelled(); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

TEST(EvidenceSearch, KeepsTheBestOfSeveralStarts) {
  // Maxima near -3 (value about 1) and near 3 (value about 2).
  const auto function = [](std::span<const double> p) -> Expected<AscentValue> {
    const double left = std::exp(-0.5 * (p[0] + 3.0) * (p[0] + 3.0));
    const double right = 2.0 * std::exp(-0.5 * (p[0] - 3.0) * (p[0] - 3.0));
    return AscentValue{left + right, {-left * (p[0] + 3.0) - right * (p[0] - 3.0)}};
  };
  const auto searched = [&](std::int64_t starts) {
    EvidenceSearch search({{-1.0}, {{-10}, {10}}, starts, 40, 5});
    while (search.done() < search.total()) {
      EXPECT_TRUE(search.step(function, RunContext()));
    }
    EXPECT_EQ(search.traces().size(), static_cast<std::size_t>(starts));
    EXPECT_FALSE(search.isAtBound(0));
    return search;
  };
  EXPECT_NEAR(searched(1).best()[0], -3.0, 1e-4);
  const EvidenceSearch several = searched(12);
  EXPECT_NEAR(several.best()[0], 3.0, 1e-4);
  EXPECT_NEAR(several.bestValue().value(), 2.0, 1e-6);
  EXPECT_EQ(several.traces()[1].name, "log evidence, start 2");
  EXPECT_EQ(several.traces()[1].x.front(), 40.0);
}

}  // namespace
}  // namespace dubito
