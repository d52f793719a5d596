// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/labs/gaussian/kernel.h"
#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using Numbers = std::vector<double>;

/// A noisy sine, far from the origin.
struct FitPoints {
  explicit FitPoints(std::size_t count) : x(count), y(count) {
    KeyedRandom(5, LabSite::kDataInputs).uniforms(0, x);
    KeyedRandom(5, LabSite::kDataNoise).normals(0, y);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = 2000.0 + 6.0 * x[i];
      y[i] = 300.0 + std::sin(2.0 * x[i]) + 0.2 * y[i];
    }
  }
  Numbers x;
  Numbers y;
};

Expected<GpFit> fitOf(const FitPoints& points, const GpFitOptions& options,
                      double noise_std = 0.2) {
  RunContext context;
  return fitGp(points.x, points.y, noise_std, options, context);
}

TEST(GpFit, NoiseComesFromTheKernelTheOptionOrTheCaller) {
  const FitPoints points(30);
  GpFitOptions options;
  options.centre = true;
  options.kernel = "white(0.09) + 1*se(0.7)";
  const auto from_kernel = fitOf(points, options);
  ASSERT_TRUE(from_kernel) << from_kernel.error().message;
  EXPECT_EQ(from_kernel->parameters.back().key, "noise_variance");
  EXPECT_EQ(from_kernel->parameters.back().value, 0.09);
  options.kernel = "1*se(0.7)";
  options.noise = 0.3;
  const auto from_option = fitOf(points, options);
  ASSERT_TRUE(from_option);
  EXPECT_TRUE(closeTo(from_option->log_evidence, from_kernel->log_evidence, 1e-12));
  EXPECT_EQ(from_option->kernel, "1*se(0.7) + white(0.09)");
  options.noise.reset();
  EXPECT_EQ(fitOf(points, options, 0.5)->parameters.back().value, 0.25);
  options.noise = 0.3;
  options.kernel = "1*se(0.7) + white(0.09)";
  EXPECT_NE(options.check().error().message.find("given twice"), std::string::npos);
}

TEST(GpFit, OptimisingRaisesTheEvidenceToAStationaryPoint) {
  const FitPoints points(60);
  GpFitOptions options;
  options.centre = true;
  options.kernel = "4*se(2) + white(1)";
  options.optimise = true;
  const auto fit = fitOf(points, options);
  ASSERT_TRUE(fit) << fit.error().message;
  EXPECT_GT(fit->log_evidence, *fit->log_evidence_given + 10.0);
  for (const GpFitParameter& parameter : fit->parameters) {
    EXPECT_NEAR(parameter.gradient, 0.0, 1e-2) << parameter.key;
  }
  EXPECT_NEAR(std::sqrt(fit->parameters.back().value), 0.2, 0.06);
  // The text that is printed gives the same numbers again.
  GpFitOptions again;
  again.centre = true;
  again.kernel = fit->kernel;
  EXPECT_TRUE(closeTo(fitOf(points, again)->log_evidence, fit->log_evidence, 1e-9));
  EXPECT_EQ(fitOf(points, again)->mean, fit->mean);
}

TEST(GpFit, TheGridIsWhatIsAskedFor) {
  const FitPoints points(20);
  GpFitOptions options;
  options.grid = 5;
  options.from = -1.0;
  options.to = 1.0;
  options.centre = true;
  const auto fit = fitOf(points, options);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->x, (Numbers{-1.0, -0.5, 0.0, 0.5, 1.0}));
  // Far from all points, the process returns to its mean with the variance of the prior.
  EXPECT_TRUE(closeTo(fit->mean[2], fit->mean_of_y, 1e-12));
  EXPECT_TRUE(closeTo(fit->std_epistemic[2], 1.0, 1e-12));
  EXPECT_TRUE(closeTo(fit->std_total[2], std::hypot(1.0, 0.2), 1e-12));
  options.from = 2.0;
  const Status refused = options.check();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the first input is larger than the last; give the smaller one first");
  EXPECT_EQ(refused.error().remedy.settings, (std::vector{setting("from"), setting("to")}));
}

TEST(GpFit, SaysThatAGridIsTooCoarseForThePeriod) {
  // 80 years with a period of one year: 101 inputs show a slow wave that is not there.
  GpFitOptions options;
  options.kernel = "1*periodic(1, 1)";
  options.centre = true;
  options.from = 0.0;
  options.to = 80.0;
  const FitPoints points(30);
  const auto coarse = fitOf(points, options);
  ASSERT_TRUE(coarse) << coarse.error().message;
  ASSERT_EQ(coarse->warnings.size(), 1U);
  EXPECT_NE(coarse->warnings[0].find("use 961 inputs or"), std::string::npos)
      << coarse->warnings[0];
  options.grid = 961;
  EXPECT_TRUE(fitOf(points, options)->warnings.empty());
}

TEST(GpFit, WhatCannotBeFittedIsASentence) {
  const GpFitOptions options;
  RunContext context;
  const Numbers one = {1.0};
  EXPECT_TRUE(fitGp(one, one, 0.1, options, context));
  EXPECT_FALSE(fitGp({}, {}, 0.1, options, context));
  const Numbers bad = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(fitGp(one, bad, 0.1, options, context).error().message.find("point 1 is not finite"),
            std::string::npos);
  const Numbers many(5001, 1.0);
  EXPECT_FALSE(fitGp(many, many, 0.1, options, context));
  // All points at one input: only their mean is known.
  const Numbers same(10, 3.0);
  const auto fit = fitGp(same, same, 0.1, options, context);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->x.size(), 101U);
  context.control()->requestCancel();
  EXPECT_EQ(fitGp(one, one, 0.1, options, context).error().code, ErrorCode::kCancelled);
}

TEST(NoisyKernel, NoiseIsATermOfTheOutermostSum) {
  const auto parsed = parseNoisyKernel("1.5*se(0.8) + white(0.04) + linear(2)");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->noise_variance, 0.04);
  EXPECT_EQ(parsed->kernel.text(), parseKernel("1.5*se(0.8) + linear(2)")->text());
  EXPECT_FALSE(parseNoisyKernel("se(1)")->noise_variance);
  for (const char* const text :
       {"white(0.04)", "se + white(1) + white(1)", "white(1)*se", "2*white(1) + se", "se + white",
        "se + white()", "se + white(0.1", "se*(linear + white(1))", "", "se +"}) {
    EXPECT_FALSE(parseNoisyKernel(text)) << text;
  }
  EXPECT_FALSE(parseKernel("se + white(1)"));
}

}  // namespace
}  // namespace dubito
