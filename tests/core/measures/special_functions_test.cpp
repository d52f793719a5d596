// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/special_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.h"
#include "tests/support/shared_data.h"

namespace dubito {
namespace {

using test::closeTo;

// digamma and log Gamma cross zero; next to their roots a relative bound says nothing.
constexpr double kNearRoots = 1e-12;

TEST(SpecialFunctions, AgreeWithTheReference) {
  const nlohmann::json rows = test::readVectors("special").at("functions");
  ASSERT_FALSE(rows.empty());
  for (const nlohmann::json& row : rows) {
    const double x = row.at(0).get<double>();
    EXPECT_TRUE(closeTo(digamma(x), row.at(1).get<double>(), 1e-9, kNearRoots)) << "psi at " << x;
    EXPECT_TRUE(closeTo(logGamma(x), row.at(2).get<double>(), 1e-9, kNearRoots))
        << "log Gamma at " << x;
    const double expected =
        row.at(3).is_null() ? std::numeric_limits<double>::infinity() : row.at(3).get<double>();
    EXPECT_TRUE(closeTo(trigamma(x), expected, 1e-9)) << "psi' at " << x;
  }
}

TEST(SpecialFunctions, SeriesAndClosedFormsMeet) {
  for (const double x : {19.0, 19.9999, 20.0, 20.0001, 25.0, 60.0}) {
    EXPECT_TRUE(closeTo(digammaExcess(x), digamma(x + 1.0) - std::log(x), 1e-12)) << x;
    EXPECT_TRUE(closeTo(gammaEntropyTerm(x), logGamma(x) - (x - 1.0) * digamma(x) + x, 1e-12)) << x;
  }
}

TEST(SpecialFunctions, ExcessDecaysAsHalfTheInverse) {
  for (const double x : {1e8, 1e15, 1e30}) {
    EXPECT_TRUE(closeTo(digammaExcess(x), 0.5 / x, 1e-8)) << x;
  }
}

TEST(SpecialFunctions, DigammaDifferenceHasNoJumpWhereItsFormChanges) {
  for (const double x : {0.5, 3.0, 77.0}) {
    const double just_below = 0.999999e-5 * x;
    const double just_above = 1.000001e-5 * x;
    EXPECT_TRUE(closeTo(digammaDifference(x, just_below) / just_below,
                        digammaDifference(x, just_above) / just_above, 1e-9))
        << x;
    EXPECT_TRUE(closeTo(digammaExcessDrop(x, just_below) / just_below,
                        digammaExcessDrop(x, just_above) / just_above, 1e-8))
        << x;
  }
  EXPECT_TRUE(closeTo(digammaExcessDrop(1e6, 1e-12), 1e-12 / 2e12, 1e-6));
  EXPECT_TRUE(closeTo(digammaDifference(1.5, 1e-14), 1e-14 * trigamma(1.5), 1e-12));
}

TEST(SpecialFunctions, HaveNoValueAtZeroAndBelow) {
  for (const double x : {0.0, -0.5, -3.0, std::nan("")}) {
    EXPECT_TRUE(std::isnan(digamma(x)));
    EXPECT_TRUE(std::isnan(trigamma(x)));
    EXPECT_TRUE(std::isnan(logGamma(x)));
  }
}

}  // namespace
}  // namespace dubito
