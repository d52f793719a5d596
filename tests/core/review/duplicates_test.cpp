// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/duplicates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/review/queue.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using testing::ElementsAre;

/// A smooth image: a sum of a few waves.
SmallImage waves(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::array<double, kSmallSide * kSmallSide> sum{};
  for (int wave = 0; wave < 6; ++wave) {
    const double x = 0.9 * (uniform(random) - 0.5);
    const double y = 0.9 * (uniform(random) - 0.5);
    const double phase = 6.3 * uniform(random);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += std::sin(x * static_cast<double>(i % kSmallSide) +
                         y * static_cast<double>(i / kSmallSide) + phase);
    }
  }
  SmallImage image{};
  std::ranges::transform(sum, image.begin(), [](double value) {
    return static_cast<std::uint8_t>(std::lround(110.0 + 14.0 * value));
  });
  return image;
}

/// The same image, compressed again and a little brighter.
SmallImage changed(SmallImage image, double contrast, int noise) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> rounding(-noise, noise);
  for (std::uint8_t& value : image) {
    value = static_cast<std::uint8_t>(
        std::clamp(std::lround(contrast * value) + rounding(random), 0L, 255L));
  }
  return image;
}

std::vector<std::int64_t> groupsOf(const std::vector<SmallImage>& images) {
  RunContext context;
  context.threads = 2;
  const auto groups = duplicateGroups(
      std::ssize(images),
      [&](std::int64_t row) { return std::optional(images[static_cast<std::size_t>(row)]); },
      context);
  EXPECT_OK(groups);
  return groups.value_or(DuplicateGroups()).group;
}

TEST(Duplicates, AreFoundAmongOthers) {
  std::vector<SmallImage> images;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    images.push_back(waves(seed));
  }
  EXPECT_THAT(groupsOf(images), testing::Each(-1));
  images[120] = images[7];
  images[250] = changed(images[7], 1.1, 1);
  images[33] = changed(images[201], 0.9, 1);
  const auto groups = groupsOf(images);
  EXPECT_EQ(groups[7], 0);
  EXPECT_EQ(groups[120], 0);
  EXPECT_EQ(groups[250], 0);
  EXPECT_EQ(groups[33], 1);
  EXPECT_EQ(groups[201], 1);
  EXPECT_EQ(std::ranges::count(groups, -1), 295);
}

TEST(Duplicates, OfOneColourMustBeEqual) {
  const auto plain = [](int grey) {
    SmallImage image;
    image.fill(static_cast<std::uint8_t>(grey));
    return image;
  };
  EXPECT_THAT(groupsOf({plain(10), plain(11), plain(10), plain(200)}), ElementsAre(0, -1, 0, -1));
}

/// Many that look alike to the hash do not take quadratic time, and are all found.
TEST(Duplicates, OfOneImageBecomeOneGroup) {
  std::vector<SmallImage> images(3000, waves(1));
  images.push_back(waves(2));
  const auto groups = groupsOf(images);
  EXPECT_EQ(std::ranges::count(groups, 0), 3000);
  EXPECT_EQ(groups.back(), -1);
}

class DuplicateQueue : public testing::Test {
 protected:
  void SetUp() override {
    run_.ids = Array<std::int64_t>::fromVector({10, 11, 12, 13, 14, 15});
    run_.labels = Array<std::int64_t>::fromVector({0, 1, 0, 0, 1, -1});
    run_.predictions = Array<std::int64_t>::fromVector({0, 0, 0, 0, 0, 0});
    run_.confidence = Array<double>::fromVector({1, 1, 1, 1, 1, 1});
    // 10 and 12 agree, 11 and 13 do not, 14 is alone, 15 cannot be read.
    images_ = {waves(1), waves(2), waves(1), waves(2), waves(3)};
  }
  Expected<Queue> build(QueueInputs inputs) {
    RunContext context;
    inputs.small_image = [this](std::int64_t row) {
      return row < std::ssize(images_) ? std::optional(images_[static_cast<std::size_t>(row)])
                                       : std::nullopt;
    };
    return buildQueue(run_, {.by = "duplicates"}, inputs, context);
  }

  dubito::Run run_;
  std::vector<SmallImage> images_;
};

TEST_F(DuplicateQueue, BeginsWithThoseWhoseLabelsDiffer) {
  const auto queue = build({});
  ASSERT_OK(queue);
  EXPECT_THAT(queue->ids, ElementsAre(11, 13, 10, 12));
  EXPECT_EQ(queue->first_part, 2);
  EXPECT_EQ(queue->without_score, 2);
  EXPECT_THAT(queue->notes, ElementsAre(HasSubstr("1 of its images cannot be read")));
}

TEST_F(DuplicateQueue, NeedsTheImages) {
  RunContext context;
  const auto queue = buildQueue(run_, {.by = "duplicates"}, {}, context);
  ASSERT_FALSE(queue);
  EXPECT_EQ(queue.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(queue.error().message, HasSubstr("attach the images"));
}

}  // namespace
}  // namespace dubito
