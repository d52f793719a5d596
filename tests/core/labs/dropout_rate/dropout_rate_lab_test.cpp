// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/dropout_rate_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

DropoutRateOptions quick(const std::string& estimator) {
  DropoutRateOptions options;
  options.estimator = estimator;
  options.hidden = 24;
  options.points = 40;
  options.starts = 4;
  options.steps = 300;
  options.grid_draws = 50;
  // Lets p and the weights converge in few steps.
  options.optimiser = "adam";
  options.learning_rate = 0.02;
  options.initial_std = 0.2;
  options.rate_step = 3e-4;
  return options;
}

DropoutRatePicture pictureAfter(const DropoutRateOptions& options, std::int64_t steps_per_call,
                                int threads = 1) {
  RunContext context;
  context.threads = threads;
  auto lab = DropoutRateLab::start(options, 2).value();
  while (lab->done() < lab->total()) {
    if (const Status advanced = lab->advance(steps_per_call, context); !advanced) {
      ADD_FAILURE() << advanced.error().message;
      break;
    }
  }
  return lab->picture(context);
}

TEST(DropoutRateLab, DoesNotDependOnSlicesOrThreads) {
  const DropoutRateOptions options = quick("score");
  const DropoutRatePicture whole = pictureAfter(options, 1000);
  for (const DropoutRatePicture& other :
       {pictureAfter(options, 7), pictureAfter(options, 1000, 3)}) {
    ASSERT_EQ(other.trajectories.size(), whole.trajectories.size());
    for (std::size_t i = 0; i < whole.trajectories.size(); ++i) {
      EXPECT_EQ(other.trajectories[i].keeps.y, whole.trajectories[i].keeps.y);
      EXPECT_EQ(other.trajectories[i].elbos.y, whole.trajectories[i].elbos.y);
    }
    for (std::size_t i = 0; i < whole.grid.size(); ++i) {
      EXPECT_EQ(other.grid[i].estimate, whole.grid[i].estimate);
      EXPECT_EQ(other.grid[i].elbo.total(), whole.grid[i].elbo.total());
    }
  }
}

TEST(DropoutRateLab, StartsAreEvenAndConcreteDropoutRunsBeside) {
  const DropoutRatePicture picture = pictureAfter(quick("exact"), 1000);
  ASSERT_EQ(picture.trajectories.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(picture.trajectories[i].estimator, RateEstimator::kExact);
    EXPECT_DOUBLE_EQ(picture.trajectories[i].start, static_cast<double>(i + 1) / 5.0);
    EXPECT_EQ(picture.trajectories[i].keeps.y.front(), picture.trajectories[i].start);
  }
  EXPECT_EQ(picture.trajectories[4].estimator, RateEstimator::kConcrete);
  EXPECT_EQ(picture.trajectories[4].start, 0.5);
  DropoutRateOptions alone = quick("concrete");
  EXPECT_EQ(pictureAfter(alone, 1000).trajectories.size(), 4U);
}

TEST(DropoutRateLab, GridIsThatOfTheReportAndItsEstimatesAgreeWithTheClosedForm) {
  const DropoutRatePicture picture = pictureAfter(quick("score"), 1000);
  ASSERT_EQ(picture.grid.size(), 12U);
  EXPECT_EQ(picture.grid.front().keep, 0.0);
  EXPECT_EQ(picture.grid[4].keep, DropoutRateLab::kReportedKeep);
  EXPECT_EQ(picture.grid.back().keep, 1.0);
  for (const RateGridPoint& point : picture.grid) {
    EXPECT_NEAR(point.estimate, point.elbo.total(), 4.0 * point.standard_error + 1e-9)
        << point.keep;
    EXPECT_LE(point.elbo.total(), picture.grid[picture.best].elbo.total());
    const bool is_random = point.keep > 0.0 && point.keep < 1.0;
    EXPECT_EQ(point.standard_error > 1e-9, is_random) << point.keep;
    EXPECT_TRUE(std::isfinite(point.tail_mean));
  }
}

// With the mean output v = p m of each unit fixed, a larger p lowers the variance of the output,
// v^2 (1 - p) / p, and the prior's cost, v^2 / p. At a maximum of the bound its entropy must
// therefore fall with p, so p > 1/2.
TEST(DropoutRateLab, TheBoundHasItsMaximumAboveOneHalf) {
  DropoutRateOptions options = quick("exact");
  options.steps = 3000;
  for (const double noise : {60.0, 100.0}) {
    options.assumed_noise = noise;
    const DropoutRatePicture picture = pictureAfter(options, 1000);
    for (const RateTrajectory& run : picture.trajectories) {
      EXPECT_EQ(run.end, RateEnd::kInside);
      EXPECT_GT(run.mean_keep, 0.5) << run.start << " " << noise;
    }
    EXPECT_GE(picture.grid[picture.best].keep, 0.5);
  }
}

// With little noise in the likelihood the weights have several maxima; with that of the report, one
// p is best.
TEST(DropoutRateLab, AllStartsOfTheExactGradientFindTheSameMaximum) {
  DropoutRateOptions options = quick("exact");
  options.steps = 3000;
  const DropoutRatePicture picture = pictureAfter(options, 1000);
  for (const RateTrajectory& run : picture.trajectories) {
    EXPECT_NEAR(run.mean_keep, picture.trajectories.front().mean_keep, 0.02) << run.start;
  }
}

TEST(DropoutRateLab, CoordinateAscentRunsToOne) {
  DropoutRateOptions options = quick("coordinate");
  options.steps = 3000;
  for (const RateTrajectory& run : pictureAfter(options, 1000).trajectories) {
    if (run.estimator == RateEstimator::kCoordinate) {
      EXPECT_EQ(run.end, RateEnd::kOne) << run.start;
    }
  }
}

TEST(DropoutRateLab, ReportsTrappedStarts) {
  DropoutRateOptions options = quick("score");
  options.rate_step = 0.1;
  const DropoutRatePicture picture = pictureAfter(options, 1000);
  ASSERT_EQ(picture.warnings.size(), 1U);
  EXPECT_NE(picture.warnings[0].find("4 of 4 starts are trapped"), std::string::npos)
      << picture.warnings[0];
  options.margin = 0.05;
  EXPECT_TRUE(pictureAfter(options, 1000).warnings.empty());
}

TEST(DropoutRateLab, ABaselineRemovesMostOfTheNoise) {
  DropoutRateOptions options = quick("score");
  options.rate_step = 1e-5;
  options.steps = 1000;
  const auto roughness = [](const DropoutRatePicture& picture) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<double>& keeps = picture.trajectories[i].keeps.y;
      // Without the first part, in which the baseline follows a fast change.
      for (std::size_t t = keeps.size() / 2; t < keeps.size(); ++t) {
        sum += std::pow(keeps[t] - keeps[t - 1], 2);
      }
    }
    return std::sqrt(sum);
  };
  const double plain = roughness(pictureAfter(options, 1000));
  options.baseline = true;
  EXPECT_LT(roughness(pictureAfter(options, 1000)), plain / 2.0);
}

TEST(DropoutRateLab, RefusesWhatIsOutOfRange) {
  DropoutRateOptions options;
  options.margin = 0.6;
  const auto lab = DropoutRateLab::start(options, 0);
  ASSERT_FALSE(lab);
  EXPECT_NE(lab.error().message.find("Distance from 0 and 1 is 0.6"), std::string::npos)
      << lab.error().message;
  EXPECT_EQ(lab.error().remedy.settings, std::vector{setting("margin")});
  options = {};
  options.estimator = "guess";
  ASSERT_FALSE(DropoutRateLab::start(options, 0));
  options = {};
  options.assumed_noise = std::nan("");
  ASSERT_FALSE(DropoutRateLab::start(options, 0));
}

}  // namespace
}  // namespace dubito
