// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/vector_math.h"

#include <gtest/gtest.h>
#ifdef DUBITO_HAS_HIGHWAY
#include <hwy/targets.h>
#endif

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

/// Calls `check` on each instruction set that this processor has.
template <class Check>
void onAllInstructionSets(const Check& check) {
#ifdef DUBITO_HAS_HIGHWAY
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    SCOPED_TRACE(hwy::TargetName(left & -left));
    hwy::SetSupportedTargetsForTest(left & -left);
    hwy::GetChosenTarget().DeInit();
    check();
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
#else
  check();
#endif
}

TEST(Exponentials, AreExact) {
  onAllInstructionSets([] {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-700.0, 700.0);
    std::vector<double> arguments{0.0,   -0.0, 1.0, -1.0, 1e-300, -1e-17, 0.34657359027997264,
                                  -700.0};
    for (int i = 0; i < 20'000; ++i) {
      arguments.push_back(i % 2 == 0 ? uniform(random) : uniform(random) / 700.0);
    }
    std::vector<double> values = arguments;
    exponentials(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_TRUE(closeTo(values[i], std::exp(arguments[i]), 5e-16)) << arguments[i];
    }
    EXPECT_EQ(values[0], 1.0);
  });
}

TEST(Exponentials, OfEachCountAreTheSame) {
  onAllInstructionSets([] {
    for (std::size_t count = 0; count < 20; ++count) {
      std::vector<double> values(count);
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = -0.37 * static_cast<double>(i);
      }
      std::vector<double> alone = values;
      exponentials(values);
      for (std::size_t i = 0; i < count; ++i) {
        exponentials(std::span(alone).subspan(i, 1));
      }
      EXPECT_EQ(values, alone) << count;
    }
  });
}

TEST(Exponentials, EndAtZeroAndKeepNaN) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  onAllInstructionSets([] {
    std::vector<double> values{-kInfinity, -1e300, -2000.0, -745.5, -720.0, std::nan(""), 0.0};
    exponentials(values);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(values[i], 0.0) << i;
    }
    EXPECT_NEAR(values[4], 0.0, 1e-304);
    EXPECT_TRUE(std::isnan(values[5]));
    EXPECT_EQ(values[6], 1.0);
  });
}

}  // namespace
}  // namespace dubito
