// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/flag_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace dubito::cli {
namespace {

TEST(FlagText, OfASettingIsWhatTheUserTypes) {
  EXPECT_EQ(flagText(setting("layers", "last")), "--layers last");
  EXPECT_EQ(flagText(setting("drop_rate", "0.1")), "--drop-rate 0.1");
  EXPECT_EQ(flagText(setting("feature_cache_mb")), "--feature-cache-mb");
  EXPECT_EQ(flagText(setting("layers", "above 1")), "--layers above 1");
  EXPECT_EQ(flagText(omitted("validation_share")), "no --validation-share");
}

TEST(FlagText, OfASettingElsewhereSaysWhereItBelongs) {
  EXPECT_EQ(flagText(datasetSetting("role", "ood")), "?role=ood");
  EXPECT_EQ(flagText(datasetSetting("classes")), "?classes=");
  EXPECT_EQ(flagText(metadataSetting("output_key")), "\"output_key\" in the metadata");
  EXPECT_EQ(flagText(metadataSetting("output_key", "logits")),
            "\"output_key\": logits in the metadata");
  EXPECT_EQ(flagText(neededWords("methods with draws")), "methods with draws");
}

TEST(FlagText, OfARequirementSaysWhetherOneSettingIsEnough) {
  const std::vector<Setting> settings{setting("swa"), setting("schedule", "step"),
                                      neededWords("two runs")};
  EXPECT_EQ(flagText(allUnless(false, settings)), "--swa and --schedule step and two runs");
  EXPECT_EQ(flagText(oneUnless(false, settings)), "--swa or --schedule step or two runs");
  EXPECT_EQ(flagText(allUnless(false, {setting("fit")})), "--fit");
  EXPECT_EQ(flagText(allUnless(true, settings)), "");
  EXPECT_EQ(flagText(oneUnless(true, settings)), "");
}

TEST(FlagText, FollowsTheMessageInTheOrderOfItsWords) {
  Error error{ErrorCode::kInvalidArgument, "a.npz: too few items; give more, or a smaller batch"};
  EXPECT_EQ(messageWithFlags(error), error.message);
  error.remedy.lines = "print()\n";
  error.context = "details";
  EXPECT_EQ(messageWithFlags(error), error.message);
  error.remedy.settings = {datasetSetting("items", "0:N"), setting("batch"), omitted("to")};
  EXPECT_EQ(messageWithFlags(error), error.message + " (?items=0:N, --batch, no --to)");
}

}  // namespace
}  // namespace dubito::cli
