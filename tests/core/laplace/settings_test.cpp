// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/laplace_settings.h"

#include <gtest/gtest.h>

#include "core/laplace/laplace_memory.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

TEST(LaplaceSettings, PriorRules) {
  EXPECT_EQ(parsePriorRule("auto-evidence")->kind, PriorRule::Kind::kEvidence);
  EXPECT_EQ(parsePriorRule("auto-nll")->kind, PriorRule::Kind::kNll);
  const auto drop = parsePriorRule("mmc-drop=0.05");
  ASSERT_TRUE(drop);
  EXPECT_EQ(drop->kind, PriorRule::Kind::kMmcDrop);
  EXPECT_DOUBLE_EQ(drop->value, 0.05);
  const auto value = parsePriorRule("2.5e-1");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->kind, PriorRule::Kind::kValue);
  EXPECT_DOUBLE_EQ(value->value, 0.25);
  for (const char* wrong : {"", "auto", "mmc-drop", "mmc-drop=", "mmc-drop=1", "mmc-drop=0", "0",
                            "-1", "1x", "nan", "inf", "1e999"}) {
    const auto rule = parsePriorRule(wrong);
    ASSERT_FALSE(rule) << wrong;
    EXPECT_EQ(rule.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(rule.error().message, HasSubstr("--prior"));
  }
}

TEST(LaplaceSettings, TauByHandTakesThePlaceOfTheRuleButNotOfAnotherOne) {
  LaplaceSettings settings;
  EXPECT_TRUE(settings.check());
  EXPECT_EQ(settings.priorRule().kind, PriorRule::Kind::kEvidence);
  settings.tau = 15.0;
  settings.n = 1.0;
  ASSERT_TRUE(settings.check());
  EXPECT_EQ(settings.priorRule().kind, PriorRule::Kind::kValue);
  EXPECT_EQ(settings.priorRule().value, 15.0);
  settings.prior = "auto-nll";
  EXPECT_FALSE(settings.check());
}

TEST(LaplaceSettings, StructuresHaveNames) {
  for (const char* name : {"full", "kron", "kron-damped", "diag"}) {
    EXPECT_EQ(toString(parseLaplaceStructure(name)), name);
  }
  EXPECT_THROW(static_cast<void>(parseLaplaceStructure("block")), std::invalid_argument);
}

TEST(LaplaceMemory, AFullPosteriorOfAThousandClassesIsRefusedWithKronInItsPlace) {
  const std::int64_t available = std::int64_t{24} << 30;
  const Status refused =
      checkLaplaceMemory(LaplaceStructure::kFull, {.outputs = 1000, .inputs = 513}, available);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(refused.error().message, HasSubstr("2.11 TB"));
  EXPECT_THAT(refused.error().message, HasSubstr("--structure kron"));
  EXPECT_TRUE(checkLaplaceMemory(LaplaceStructure::kKron, {1000, 513}, available));
}

TEST(LaplaceMemory, KronOfALargeHeadIsFarBelowFourGigabytes) {
  EXPECT_LT(laplaceBytes(LaplaceStructure::kKron, {1000, 2049}), 0.25e9);
  EXPECT_TRUE(checkLaplaceMemory(LaplaceStructure::kKron, {1000, 2049}, std::int64_t{4} << 30));
  const Status refused = checkLaplaceMemory(LaplaceStructure::kKron, {1000, 2049}, 100'000'000);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("--structure diag"));
  EXPECT_FALSE(checkLaplaceMemory(LaplaceStructure::kDiagonal, {1000, 2049}, 1'000'000));
  EXPECT_TRUE(checkLaplaceMemory(LaplaceStructure::kFull, {1000, 2049}, 0));
}

}  // namespace
}  // namespace dubito
