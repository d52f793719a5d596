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
    EXPECT_THAT(rule.error().message, HasSubstr("the prior precision is '"));
    EXPECT_EQ(rule.error().remedy.settings, std::vector{setting("prior")});
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
  const Status refused = settings.check();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "tau 15 and the prior auto-nll both set the prior precision; give only one");
  EXPECT_EQ(refused.error().remedy.settings, (std::vector{setting("tau"), setting("prior")}));
}

TEST(LaplaceSettings, WhatDoesNotFitIsRefusedWithTheSettings) {
  const auto expect = [](const LaplaceSettings& settings, const char* message,
                         const std::vector<Setting>& remedy) {
    const Status refused = settings.check();
    ASSERT_FALSE(refused) << message;
    EXPECT_EQ(refused.error().message, message);
    EXPECT_EQ(refused.error().remedy.settings, remedy) << message;
  };
  expect({.layers = "all", .structure = "full"},
         "the structure full is only for the last layer; with all layers use kron, kron-damped or "
         "diag",
         {setting("structure", "kron"), setting("layers", "all")});
  expect({.predictive = "sampled"},
         "the sampled predictive draws the weights of all layers; select all layers",
         {setting("predictive", "sampled"), setting("layers", "all")});
  expect({.separate_bias = true},
         "separate biases need all layers with the structure kron or kron-damped",
         {setting("separate_bias"), setting("layers", "all"),
          setting("structure", "kron or kron-damped")});
  expect({.layers = "all", .predictive = "sampled", .link = "mc"},
         "the sampled predictive averages its draws and has no Gaussian for the link mc; leave out "
         "one of them",
         {setting("predictive", "sampled"), setting("link", "mc")});
}

TEST(LaplaceSettings, LogitDrawsNeedALinkOrAPriorThatDraws) {
  const auto needs = [](LaplaceSettings settings) {
    for (const Field& field : settings.fields()) {
      if (field.info.name == "samples") {
        return field.info.unmet_requirement;
      }
    }
    return Requirement();
  };
  const Setting drop = setting("prior", "mmc-drop=SHARE");
  EXPECT_EQ(needs({}), (Requirement{{setting("link", "mc"), drop}, true}));
  EXPECT_EQ(needs({.layers = "all", .predictive = "sampled"}), (Requirement{{drop}, false}));
  EXPECT_TRUE(needs({.link = "mc"}).empty());
  EXPECT_TRUE(needs({.prior = "mmc-drop=0.1"}).empty());
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
  EXPECT_THAT(refused.error().message, HasSubstr("use the structure kron, which takes"));
  EXPECT_EQ(refused.error().remedy.settings, std::vector{setting("structure", "kron")});
  EXPECT_TRUE(checkLaplaceMemory(LaplaceStructure::kKron, {1000, 513}, available));
}

TEST(LaplaceMemory, KronOfALargeHeadIsFarBelowFourGigabytes) {
  EXPECT_LT(laplaceBytes(LaplaceStructure::kKron, {1000, 2049}), 0.25e9);
  EXPECT_TRUE(checkLaplaceMemory(LaplaceStructure::kKron, {1000, 2049}, std::int64_t{4} << 30));
  const Status refused = checkLaplaceMemory(LaplaceStructure::kKron, {1000, 2049}, 100'000'000);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("use the structure diag, which takes"));
  EXPECT_EQ(refused.error().remedy.settings, std::vector{setting("structure", "diag")});
  EXPECT_FALSE(checkLaplaceMemory(LaplaceStructure::kDiagonal, {1000, 2049}, 1'000'000));
  EXPECT_TRUE(checkLaplaceMemory(LaplaceStructure::kFull, {1000, 2049}, 0));
}

}  // namespace
}  // namespace dubito
