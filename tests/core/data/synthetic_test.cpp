// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>

#include "core/data/items/dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

DatasetPtr open(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset("synthetic:" + spec, context);
  EXPECT_TRUE(dataset) << (dataset ? "" : dataset.error().message);
  return dataset ? *dataset : nullptr;
}

std::vector<float> point(const Dataset& dataset, std::int64_t index) {
  const auto sample = dataset.read(index);
  const auto& values = std::get<Array<float>>(*sample);
  EXPECT_EQ(values.shape(), (std::vector<std::int64_t>{2}));
  return {values.values().begin(), values.values().end()};
}

TEST(Synthetic, APointDependsOnSeedAndIdAlone) {
  const auto all = open("blobs?n=100&seed=5");
  const auto more = open("blobs?n=1000&seed=5&items=40:");
  const auto other = open("blobs?n=100&seed=6");
  EXPECT_EQ(more->ids()[0], 40);
  EXPECT_EQ(point(*all, 40), point(*more, 0));
  EXPECT_NE(point(*all, 40), point(*other, 40));
  EXPECT_NE(point(*all, 40), point(*all, 44)) << "items of one class differ";
}

TEST(Synthetic, BlobsHaveTheirCentresAndSpread) {
  constexpr std::int64_t kItems = 40000;
  const auto blobs = open("blobs?n=40000&seed=1&noise=0.5&classes=4");
  for (std::int64_t label = 0; label < 4; ++label) {
    double x = 0.0;
    double y = 0.0;
    double squares = 0.0;
    for (std::int64_t item = label; item < kItems; item += 4) {
      ASSERT_EQ(blobs->labels()[static_cast<std::size_t>(item)], label);
      const auto values = point(*blobs, item);
      x += static_cast<double>(values[0]);
      y += static_cast<double>(values[1]);
    }
    const double count = kItems / 4.0;
    for (std::int64_t item = label; item < kItems; item += 4) {
      const auto values = point(*blobs, item);
      squares += std::pow(static_cast<double>(values[0]) - x / count, 2);
    }
    const double angle = M_PI / 4.0 + M_PI / 2.0 * static_cast<double>(label);
    // Five standard errors.
    EXPECT_NEAR(x / count, 3.0 * std::cos(angle), 0.025);
    EXPECT_NEAR(y / count, 3.0 * std::sin(angle), 0.025);
    EXPECT_NEAR(std::sqrt(squares / count), 0.5, 0.018);
  }
}

TEST(Synthetic, MoonsWithoutNoiseLieOnTheirArcs) {
  const auto moons = open("moons?n=200&noise=0");
  double lowest = 1.0;
  for (std::int64_t item = 0; item < 200; ++item) {
    const auto values = point(*moons, item);
    const bool upper = moons->labels()[static_cast<std::size_t>(item)] == 0;
    EXPECT_EQ(upper, item % 2 == 0);
    const double dx = static_cast<double>(values[0]) - (upper ? 0.0 : 1.0);
    const double dy = static_cast<double>(values[1]) - (upper ? 0.0 : 0.5);
    EXPECT_NEAR(std::hypot(dx, dy), 1.0, 1e-6);
    EXPECT_TRUE(upper ? dy >= -1e-6 : dy <= 1e-6);
    lowest = std::min(lowest, dx);
  }
  EXPECT_LT(lowest, -0.9) << "the whole arc is covered";
}

TEST(Synthetic, MistakesAreNamed) {
  RunContext context;
  for (const auto& [spec, words] : std::vector<std::pair<std::string, std::string>>{
           {"synthetic:rings", "synthetic:moons or synthetic:glyphs"},
           {"synthetic:blobs?n=0", "n=0"},
           {"synthetic:blobs?n=1e9", "n=1e9"},
           {"synthetic:blobs?n=99999999999", "10000000"},
           {"synthetic:blobs?classes=1", "blobs=1"},
           {"synthetic:blobs?seed=-1", "seed=-1"},
           {"synthetic:blobs?noise=nan", "noise=nan"},
           {"synthetic:moons?blobs=3", "always two moons"},
           {"synthetic:blobs?characters=3", "only glyphs have the option characters"},
           {"synthetic:glyphs?blobs=3", "blobs is not an option here"},
           {"synthetic:glyphs?classes=37", "characters=37"},
           {"synthetic:glyphs?noise=-1", "noise=-1"},
           {"synthetic:blobs?radius=3", "n, seed, noise, blobs, characters"}}) {
    const auto dataset = openDataset(spec, context);
    ASSERT_FALSE(dataset) << spec;
    EXPECT_EQ(dataset.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(dataset.error().message, HasSubstr(words));
  }
  EXPECT_THAT(openDataset("synthetic:glyphs?blobs=3", context).error().remedy.settings,
              testing::ElementsAre(datasetSetting("characters", "N")));
}

}  // namespace
}  // namespace dubito
