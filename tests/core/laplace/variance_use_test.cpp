// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/variance_use.h"

#include <gtest/gtest.h>

#include "core/kernels/logit_covariance.h"
#include "core/laplace/link.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

/// Logits that correlate, of `classes` classes.
LogitGaussians items(std::int64_t classes, float variance) {
  constexpr std::int64_t kItems = 6;
  Array<float> mean = Array<float>::zeros({kItems, classes});
  Array<float> covariance = Array<float>::zeros({kItems, classes, classes});
  for (std::int64_t i = 0; i < kItems; ++i) {
    for (std::int64_t k = 0; k < classes; ++k) {
      mean.mutableRow(i)[static_cast<std::size_t>(k)] =
          0.3F * static_cast<float>(i) - 0.9F * static_cast<float>(k);
      for (std::int64_t l = 0; l < classes; ++l) {
        covariance.mutableRow(i)[static_cast<std::size_t>(k * classes + l)] =
            variance * (k == l ? 1.0F + 0.5F * static_cast<float>(k + i) : 0.25F);
      }
    }
  }
  return {mean, FullCovariance{covariance}};
}

VarianceUse useOf(const std::string& link, const LogitGaussians& gaussians) {
  const std::vector<std::int64_t> ids = {0, 1, 2, 3, 4, 5};
  const RunContext context;
  const LinkedPredictions linked = applyLink(link, gaussians, ids, 200, 1, context);
  VarianceUse use;
  use.add(gaussians.mean, logitVariance(gaussians, context), linked.probs);
  return use;
}

/// For two classes the first term of the bridge vanishes and both variances are equal.
TEST(VarianceUse, TheBridgeOfTwoClassesDoesNotUseIt) {
  for (const float variance : {0.1F, 1.0F, 30.0F}) {
    const VarianceUse bridged = useOf("bridge-centred", items(2, variance));
    EXPECT_TRUE(bridged.tried) << variance;
    EXPECT_FALSE(bridged.seen) << variance;
    const auto note = bridged.note("bridge-centred", 2);
    ASSERT_TRUE(note);
    EXPECT_EQ(note->kind, NoteKind::kUnusedVariance);
    EXPECT_THAT(toText(*note), HasSubstr("for two classes"));
    // Conditioning moves the mean where the variances differ.
    for (const char* link : {"mc", "probit", "bridge"}) {
      const VarianceUse use = useOf(link, items(2, variance));
      EXPECT_TRUE(use.tried && use.seen) << link << variance;
      EXPECT_FALSE(use.note(link, 2));
    }
  }
}

TEST(VarianceUse, AllLinksOfThreeClassesUseIt) {
  for (const std::string& link : linkNames()) {
    EXPECT_TRUE(useOf(link, items(3, 1.0F)).seen) << link;
  }
}

TEST(VarianceUse, WithoutVarianceThereIsNothingToSay) {
  const VarianceUse use = useOf("probit", items(3, 0.0F));
  EXPECT_FALSE(use.tried);
  EXPECT_FALSE(use.note("probit", 3));
}

TEST(VarianceUse, PartsAddUp) {
  VarianceUse all = useOf("bridge-centred", items(2, 1.0F));
  all.add(VarianceUse{});
  EXPECT_TRUE(all.tried && !all.seen);
  EXPECT_TRUE(all.note("bridge-centred", 3));
  all.add({.tried = true, .seen = true});
  EXPECT_FALSE(all.note("bridge-centred", 3));
}

TEST(Link, AutoIsOneThatUsesTheVariance) {
  EXPECT_EQ(resolveLink("auto", 2), "mc");
  EXPECT_EQ(resolveLink("auto", 3), "bridge-centred");
  EXPECT_EQ(resolveLink("bridge-centred", 2), "bridge-centred");
  EXPECT_EQ(linkChoices().front(), "auto");
  EXPECT_EQ(linkChoices().size(), linkNames().size() + 1);
}

}  // namespace
}  // namespace dubito
