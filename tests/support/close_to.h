// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cmath>

namespace dubito::test {

/// |actual - expected| <= relative |expected| + absolute; equal infinities and two NaNs are close.
/// Use: EXPECT_TRUE(closeTo(a, b, 1e-9)) << "where".
inline testing::AssertionResult closeTo(double actual, double expected, double relative,
                                        double absolute = 0.0) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) {
    return testing::AssertionSuccess();
  }
  const double error = std::abs(actual - expected);
  if (error <= relative * std::abs(expected) + absolute) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << testing::PrintToString(actual) << " is not close to "
         << testing::PrintToString(expected) << " (off by " << error << ")";
}

}  // namespace dubito::test
