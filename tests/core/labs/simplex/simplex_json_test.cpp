// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/simplex_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/labs/simplex/gaussian_choice.h"

namespace dubito {
namespace {

TEST(SimplexJson, HasTheNumbersOfTheResult) {
  RunContext context;
  for (const GaussianPreset& preset : gaussianPresets()) {
    const SimplexResult result =
        analyseSimplex(preset.make(), SimplexOptions().whileDragging(), context).value();
    const nlohmann::json json = nlohmann::json::parse(simplexToJson(result).dump());
    EXPECT_EQ(json["mean"].get<std::vector<double>>(), result.moments.mean);
    ASSERT_EQ(json["approximations"].size(), result.approximations.size());
    const nlohmann::json& first = json["approximations"][0];
    EXPECT_EQ(first["key"], "bridge-centred");
    EXPECT_EQ(first["alpha"].get<std::vector<double>>(), result.approximations[0].alpha);
    EXPECT_EQ(first["reverse_divergence"].is_null(), result.is_singular);
    EXPECT_EQ(first["proposition1"].size(), static_cast<std::size_t>(result.classes()));
    EXPECT_EQ(json["transforms"].size(), 3U);
  }
}

TEST(SimplexJson, HasTheNumbersOfSampleWorth) {
  RunContext context;
  SampleWorthOptions options;
  options.truth = 2000;
  options.max_samples = 100;
  options.replicates = 1;
  auto worth = SampleWorth::start(gaussianPresets()[0].make(), options, 0).value();
  EXPECT_EQ(sampleWorthToJson(worth->result(), worth->times())["divergence"].size(), 0U);
  ASSERT_TRUE(worth->advance(worth->total(), context));
  const nlohmann::json json = sampleWorthToJson(worth->result(), worth->times());
  EXPECT_EQ(json["samples"].back(), 100);
  EXPECT_EQ(json["divergence"].get<std::vector<double>>(), worth->result().mean);
  // A single replicate has no standard error.
  EXPECT_TRUE(json["standard_error"][0].is_null());
  EXPECT_EQ(json["approximations"].size(), worth->result().approximations.size());
}

}  // namespace
}  // namespace dubito
