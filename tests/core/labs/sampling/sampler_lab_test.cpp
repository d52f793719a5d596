// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

namespace dubito {
namespace {

SamplerPicture pictureAfter(const SamplerLabOptions& options, std::int64_t transitions,
                            std::int64_t per_call = 1 << 30, int threads = 2) {
  RunContext context;
  context.threads = threads;
  auto lab = SamplerLab::start(options, 5);
  EXPECT_TRUE(lab) << lab.error().message;
  for (std::int64_t done = 0; done < transitions; done += per_call) {
    EXPECT_TRUE(lab->advance(std::min(per_call, transitions - done), context));
  }
  return lab->picture();
}

bool warnsOf(const SamplerPicture& picture, const std::string& text) {
  return std::ranges::any_of(picture.warnings, [&](const std::string& warning) {
    return warning.find(text) != std::string::npos;
  });
}

TEST(SamplerLab, BeginsWithAnEmptyPicture) {
  const SamplerPicture picture = pictureAfter({}, 0);
  EXPECT_EQ(picture.transitions, 0);
  EXPECT_TRUE(picture.is_warming_up);
  EXPECT_EQ(picture.points.size(), 4U);
  EXPECT_EQ(picture.points[0].extent(0), 0);
  EXPECT_EQ(picture.path.extent(0), 0);
  EXPECT_TRUE(std::isnan(picture.rhat));
  EXPECT_TRUE(std::isnan(picture.moments.mean[0]));
  EXPECT_TRUE(warnsOf(picture, "warming up"));
}

TEST(SamplerLab, MeetsTheMomentsOfSmoothDensities) {
  for (const char* density : {"gaussian", "banana"}) {
    for (const char* sampler : {"hmc", "nuts", "metropolis"}) {
      const SamplerPicture picture =
          pictureAfter({.density = density, .correlation = 0.5, .sampler = sampler}, 20000);
      const DenseGaussian exact = findSamplerTarget(density)->make(0.5).moments;
      EXPECT_FALSE(warnsOf(picture, "posterior")) << density << sampler;
      EXPECT_LT(picture.rhat, 1.05);
      for (std::size_t d = 0; d < 2; ++d) {
        const double std = std::sqrt(exact.covariance[3 * d]);
        // Four standard errors, given the effective sample size.
        EXPECT_NEAR(picture.moments.mean[d], exact.mean[d], 4.0 * std / std::sqrt(picture.ess))
            << density << sampler;
        EXPECT_NEAR(picture.moments.covariance[3 * d] / exact.covariance[3 * d], 1.0, 0.2)
            << density << sampler;
      }
      EXPECT_NEAR(picture.autocorrelation.y[0], 1.0, 1e-12);
      EXPECT_GT(picture.acceptance, 0.2);
    }
  }
}

TEST(SamplerLab, ThinsLongRuns) {
  const SamplerLabOptions options{.density = "gaussian", .sampler = "metropolis", .warm_up = 10};
  for (const std::int64_t draws : {1999, 2000, 5000, 40000}) {
    const SamplerPicture picture = pictureAfter(options, 10 + draws);
    EXPECT_LT(picture.points[0].extent(0), 2000);
    EXPECT_EQ(picture.points[0].extent(0), draws / picture.thinning);
    EXPECT_GT(draws / picture.thinning, 990);
    // The last kept state carries the number of its transition.
    EXPECT_EQ(picture.traces[0].x.back(),
              static_cast<double>(10 + draws / picture.thinning * picture.thinning));
  }
}

TEST(SamplerLab, KeepsTheStatesOfAllTransitionsWhenThinning) {
  const SamplerLabOptions options{.density = "gaussian", .sampler = "metropolis", .warm_up = 0};
  const SamplerPicture all = pictureAfter(options, 1500);
  const SamplerPicture thinned = pictureAfter(options, 3000);
  ASSERT_EQ(thinned.thinning, 2);
  for (std::int64_t i = 0; i < 700; ++i) {
    EXPECT_EQ(thinned.points[1].row(i)[0], all.points[1].row(2 * i + 1)[0]);
    EXPECT_EQ(thinned.points[1].row(i)[1], all.points[1].row(2 * i + 1)[1]);
  }
}

TEST(SamplerLab, ShowsTheLastPath) {
  const SamplerPicture picture = pictureAfter({.leapfrog_steps = 9}, 300);
  EXPECT_EQ(picture.path.extent(0), 10);
  const auto last = picture.points[0].row(picture.points[0].extent(0) - 1);
  EXPECT_EQ(picture.path_accepted, last[0] == picture.path.row(9)[0]);
  EXPECT_EQ(pictureAfter({.sampler = "metropolis"}, 3).path.extent(0), 2);
}

TEST(SamplerLab, ShowsTheWarmUpAndLeavesItOutOfTheNumbers) {
  const SamplerLabOptions options{.density = "gaussian", .sampler = "metropolis", .warm_up = 300};
  const SamplerPicture during = pictureAfter(options, 120);
  ASSERT_EQ(during.warm_up_traces.size(), 4U);
  EXPECT_EQ(during.warm_up_traces[0].x.size(), 120U);
  EXPECT_EQ(during.warm_up_traces[0].x.front(), 1.0);
  EXPECT_TRUE(during.traces[0].x.empty());
  const SamplerPicture after = pictureAfter(options, 700);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(after.warm_up_traces[c].x.back(), 300.0);
    EXPECT_EQ(after.traces[c].x.front(), 301.0);
    EXPECT_TRUE(std::ranges::equal(during.warm_up_traces[c].y,
                                   std::span(after.warm_up_traces[c].y).first(120)));
    EXPECT_EQ(after.points[c].extent(0), 400);
  }
  // A long warm-up is thinned like a long run.
  SamplerLabOptions long_options = options;
  long_options.warm_up = 5000;
  const SamplerPicture thinned = pictureAfter(long_options, 5001);
  EXPECT_LT(thinned.warm_up_traces[0].x.size(), 2000U);
  EXPECT_GT(thinned.warm_up_traces[0].x.size(), 990U);
  EXPECT_EQ(thinned.points[0].extent(0), 1);
}

TEST(SamplerLab, ShowsTheEnergyOfSamplersWithMomenta) {
  for (const LabSamplerInfo& info : labSamplers()) {
    const SamplerPicture picture =
        pictureAfter({.sampler = info.key, .step_size = 0.05, .adapt = false, .warm_up = 100}, 300);
    const bool has_energy = info.no_energy == nullptr;
    EXPECT_EQ(!picture.momentum.empty(), has_energy) << info.key;
    const auto count = static_cast<std::size_t>(picture.path.extent(0));
    EXPECT_EQ(picture.potential.size(), has_energy ? count : 0U) << info.key;
    EXPECT_EQ(std::isnan(picture.leapfrog_steps), !has_energy) << info.key;
    EXPECT_EQ(std::isnan(picture.tree_depth), !info.has_tree_depth) << info.key;
    EXPECT_EQ(std::isnan(picture.acceptance), !info.has_acceptance) << info.key;
    for (std::size_t i = 0; i < picture.potential.size(); ++i) {
      // Small steps: the energy of the leapfrog differs little from that at the start.
      EXPECT_NEAR(picture.potential[i] + picture.kinetic[i],
                  picture.potential[picture.path_start] + picture.kinetic[picture.path_start], 0.2)
          << info.key;
    }
  }
}

TEST(SamplerLab, NutsReportsItsTrees) {
  const SamplerPicture picture =
      pictureAfter({.sampler = "nuts", .step_size = 0.2, .adapt = false}, 600);
  EXPECT_GT(picture.tree_depth, 1.0);
  EXPECT_LE(picture.tree_depth, 10.0);
  EXPECT_GT(picture.leapfrog_steps, 3.0);
  const auto last = picture.points[0].row(picture.points[0].extent(0) - 1);
  EXPECT_EQ(last[0], picture.path.row(static_cast<std::int64_t>(picture.path_end))[0]);
}

TEST(SamplerLab, RefusesOptionsWithoutEffect) {
  const auto unmet = [](const char* sampler, const char* name) {
    SamplerLabOptions options{.sampler = sampler};
    for (const Field& field : options.fields()) {
      if (field.info.name == name) {
        return !field.info.unmet_requirement.empty();
      }
    }
    return false;
  };
  EXPECT_FALSE(unmet("hmc", "leapfrog_steps"));
  EXPECT_TRUE(unmet("nuts", "leapfrog_steps"));
  EXPECT_FALSE(unmet("nuts", "target_acceptance"));
  EXPECT_TRUE(unmet("metropolis", "target_acceptance"));
  EXPECT_FALSE(unmet("metropolis", "adapt"));
  EXPECT_TRUE(unmet("langevin", "adapt"));
}

TEST(SamplerLab, WarnsOfWhatIsWrong) {
  EXPECT_TRUE(warnsOf(
      pictureAfter(
          {.density = "mixture", .sampler = "metropolis", .step_size = 0.1, .adapt = false}, 1500),
      "not a posterior yet"));
  EXPECT_TRUE(
      warnsOf(pictureAfter({.step_size = 50.0, .adapt = false, .warm_up = 0}, 100), "diverged"));
  EXPECT_TRUE(warnsOf(pictureAfter({.density = "gaussian",
                                    .sampler = "metropolis",
                                    .step_size = 500.0,
                                    .adapt = false,
                                    .warm_up = 0},
                                   200),
                      "hardly move"));
  EXPECT_TRUE(warnsOf(pictureAfter({.chains = 1}, 500), "single chain"));
  // Said at once, not after the warm-up.
  EXPECT_TRUE(
      warnsOf(pictureAfter({.sampler = "langevin", .step_size = 10.0}, 100), "left the density"));
  EXPECT_FALSE(
      warnsOf(pictureAfter({.sampler = "langevin", .step_size = 0.05}, 1000), "left the density"));
}

TEST(SamplerLab, ChainsThatDivergeHaveNotConverged) {
  // Steps that leave the density now and then, at which most proposals are accepted.
  for (const double step_size : {1.0, 1.2, 1.4, 1.6, 1.8, 2.0}) {
    for (const char* const density : {"banana", "funnel"}) {
      const SamplerPicture picture = pictureAfter(
          {.density = density, .step_size = step_size, .adapt = false, .warm_up = 0}, 5000);
      EXPECT_FALSE(picture.converged && picture.divergences > 0) << density << step_size;
    }
  }
}

TEST(SamplerLab, FrozenChainsDoNotLookAsIfTheyMixed) {
  // Steps so large that hardly any is accepted.
  const SamplerPicture picture = pictureAfter({.density = "gaussian",
                                               .sampler = "metropolis",
                                               .step_size = 500.0,
                                               .adapt = false,
                                               .warm_up = 0},
                                              400);
  EXPECT_FALSE(picture.converged);
  ASSERT_GT(picture.autocorrelation.y.size(), 50U);
  EXPECT_GT(picture.autocorrelation.y[50], 0.8);
  EXPECT_FALSE(picture.ess > 100.0);
  const SamplerPicture moving = pictureAfter({.density = "gaussian", .correlation = 0.5}, 20000);
  EXPECT_TRUE(moving.converged);
  EXPECT_LE(moving.rhat, 1.01);
  EXPECT_LT(moving.autocorrelation.y[10], 0.2);
}

TEST(SamplerLab, StartsWhereItIsAskedTo) {
  RunContext context;
  auto lab = SamplerLab::start({.step_size = 1e-6, .adapt = false, .warm_up = 0}, 5,
                               std::array{1.5, -2.0});
  ASSERT_TRUE(lab);
  ASSERT_TRUE(lab->advance(1, context));
  const SamplerPicture picture = lab->picture();
  EXPECT_EQ(picture.path.row(0)[0], 1.5);
  EXPECT_EQ(picture.path.row(0)[1], -2.0);
  for (const Array<double>& points : picture.points) {
    EXPECT_NEAR(points.row(0)[0], 1.5, 1e-3);
    EXPECT_NEAR(points.row(0)[1], -2.0, 1e-3);
  }
  const auto nowhere = SamplerLab::start({}, 5, std::array{1e200, 0.0});
  EXPECT_FALSE(nowhere);
}

TEST(SamplerLab, DoesNotDependOnThreadsOrCalls) {
  for (const LabSamplerInfo& info : labSamplers()) {
    const SamplerLabOptions options{.sampler = info.key, .step_size = 0.05, .warm_up = 20};
    const SamplerPicture reference = pictureAfter(options, 100, 1000, 1);
    for (const std::int64_t per_call : {1, 7, 1000}) {
      const SamplerPicture other = pictureAfter(options, 100, per_call, 4);
      EXPECT_TRUE(std::ranges::equal(reference.path.values(), other.path.values()));
      for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_TRUE(std::ranges::equal(reference.points[c].values(), other.points[c].values()));
      }
    }
  }
}

TEST(SamplerLab, RefusesInvalidOptions) {
  EXPECT_FALSE(SamplerLab::start({.density = "none"}, 1));
  EXPECT_FALSE(SamplerLab::start({.correlation = 1.0}, 1));
  EXPECT_FALSE(SamplerLab::start({.chains = 0}, 1));
}

TEST(FittedMeanField, IsNarrowerThanACorrelatedGaussian) {
  RunContext context;
  const auto result = fittedMeanField(findSamplerTarget("gaussian")->make(0.8), 3, context);
  ASSERT_TRUE(result);
  // Variance of one coordinate given the other: 1 - 0.8^2.
  EXPECT_NEAR(result->std[0], 0.6, 0.02);
  EXPECT_NEAR(result->std[1], 0.6, 0.02);
}

}  // namespace
}  // namespace dubito
