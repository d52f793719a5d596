// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/gauge_plan.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

LaplaceSettings with(const std::string& link, std::optional<std::int64_t> gauge = {}) {
  LaplaceSettings settings;
  settings.link = link;
  settings.gauge = gauge;
  return settings;
}

TEST(GaugePlan, Draws1000ForAsManyItemsAsAreCheap) {
  const GaugePlan few = gaugePlan(with("probit"), 10, 2000);
  EXPECT_EQ(few.draws, 1000);
  EXPECT_EQ(few.share, 1.0);
  EXPECT_FALSE(few.note(2000));
  const GaugePlan many = gaugePlan(with("probit"), 10, 10'000);
  EXPECT_EQ(many.draws, 1000);
  EXPECT_EQ(many.itemsOf(10'000), 2000);
  const auto note = many.note(10'000);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->kind, NoteKind::kGaugedItems);
  EXPECT_EQ(toText(*note),
            "The honesty gauge holds 1000 draws for each of about 2000 of 10000 items, chosen by "
            "seed and id; setting it to 1000 draws covers all items");
  // The draws of an item take time proportional to the square of the classes.
  EXPECT_EQ(gaugePlan(with("probit"), 1000, 2000).itemsOf(2000), 128);
  EXPECT_EQ(gaugePlan(with("probit"), 21'000, 50'000).itemsOf(50'000), 100);
  EXPECT_EQ(gaugePlan(with("probit"), 21'000, 50).share, 1.0);
}

TEST(GaugePlan, WhatIsAskedForIsTaken) {
  const GaugePlan asked = gaugePlan(with("probit", 300), 1000, 50'000);
  EXPECT_EQ(asked.draws, 300);
  EXPECT_EQ(asked.share, 1.0);
  const GaugePlan none = gaugePlan(with("probit", 0), 10, 100);
  EXPECT_EQ(none.draws, 0);
  EXPECT_EQ(none.itemsOf(100), 0);
}

TEST(GaugePlan, DrawsOfTheLinkServeAllItems) {
  LaplaceSettings settings = with("mc");
  GaugePlan plan = gaugePlan(settings, 1000, 50'000);
  EXPECT_TRUE(plan.uses_link_draws);
  EXPECT_EQ(plan.share, 1.0);
  settings.samples = 999;
  plan = gaugePlan(settings, 1000, 50'000);
  EXPECT_FALSE(plan.uses_link_draws);
  EXPECT_EQ(plan.draws, 1000);
  EXPECT_LT(plan.share, 1.0);
  settings.gauge = 999;
  EXPECT_TRUE(gaugePlan(settings, 1000, 50'000).uses_link_draws);
}

TEST(GaugePlan, DrawnWeightsHaveNone) {
  LaplaceSettings settings;
  settings.layers = "all";
  settings.predictive = "sampled";
  EXPECT_EQ(gaugePlan(settings, 10, 100).draws, 0);
}

}  // namespace
}  // namespace dubito
