// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/train/train.h"

namespace dubito {
namespace {

TEST(TrainOptions, DefaultsAreValid) {
  EXPECT_TRUE(TrainOptions{}.check().has_value());
}

TEST(TrainOptions, RefusesWhatCannotBeMeant) {
  const auto refused = [](auto change) {
    TrainOptions options;
    change(options);
    return !options.check().has_value();
  };
  EXPECT_TRUE(refused([](TrainOptions& o) { o.architecture = "perceptron"; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.epochs = 0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.batch = 0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.optimiser = "lbfgs"; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.learning_rate = -1.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.weight_decay = -1.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.drop_rate = 1.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.shift = -1; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.width = 0.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.schedule.schedule = "linear"; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.schedule.warm_up = 1.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.augmentation.rotation = 181.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.augmentation.mixup = -0.1; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.augmentation.label_smoothing = 1.0; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.averaging.swag_rank = 1; }));
  EXPECT_TRUE(refused([](TrainOptions& o) { o.averaging.snapshot_layers = "first"; }));
}

TEST(TrainOptions, RefuseAveragesThatCannotBe) {
  const auto expectError = [](const AveragingOptions& averaging, const std::string& message,
                              const std::vector<Setting>& settings) {
    TrainOptions options;
    options.epochs = 4;
    options.averaging = averaging;
    const Status checked = options.check();
    const Error error = checked ? Error() : checked.error();
    EXPECT_EQ(error.message, message);
    EXPECT_EQ(error.remedy, Remedy{.settings = settings}) << message;
  };
  expectError({.swa = true}, "", {});
  expectError({.swa = true, .snapshots = 2},
              "snapshots cannot be combined with averaged weights; choose one of them",
              {setting("snapshots"), setting("swa")});
  expectError({.swag = 2, .snapshots = 2},
              "snapshots cannot be combined with SWAG samples; choose one of them",
              {setting("snapshots"), setting("swag")});
  expectError({.swag = 2},
              "SWAG needs at least two averaged epochs, but 1 of 4 are averaged; use a larger "
              "averaged share or more epochs",
              {setting("swag"), setting("swa_share"), setting("epochs")});
  expectError({.swa_share = 0.5, .swag = 2}, "", {});
  expectError({.snapshots = 1},
              "one snapshot is too few, at least 2 are needed; leave them out for one network",
              {omitted("snapshots")});
  expectError({.snapshots = 5}, "5 snapshots need at least one epoch each; use 5 epochs or more",
              {setting("snapshots"), setting("epochs")});
  expectError({.snapshots = 4}, "", {});
}

TEST(TrainOptions, SayWhatTheyNeedToHaveAnEffect) {
  const auto needed = [](TrainOptions options, const std::string& name) {
    for (const Field& field : options.fields()) {
      if (field.info.name == name) {
        return field.info.unmet_requirement;
      }
    }
    ADD_FAILURE() << name;
    return Requirement();
  };
  TrainOptions options;
  options.dropout = "none";
  EXPECT_EQ(needed(options, "drop_channels"),
            allUnless(false, {setting("dropout", "fixed, concrete or multi")}));
  EXPECT_EQ(needed(options, "drop_rate"), needed(options, "drop_channels"));
  EXPECT_EQ(needed(options, "swa_share"), oneUnless(false, {setting("swa"), setting("swag")}));
  EXPECT_EQ(needed(options, "schedule"), Requirement());
  options.dropout = "fixed";
  EXPECT_EQ(needed(options, "drop_channels"), Requirement());
  options.architecture = "mlp";
  EXPECT_EQ(needed(options, "drop_channels"),
            allUnless(false, {setting("architecture", "lenet or resnet")}));
  options.averaging.snapshots = 2;
  EXPECT_EQ(needed(options, "schedule"), allUnless(false, {omitted("snapshots")}));
}

TEST(TrainOptions, NameTheFilesOfSeveralNetworks) {
  EXPECT_EQ(numberedPath("a.b/m.pt", 2), "a.b/m-2.pt");
  EXPECT_EQ(networkPaths({}, "m.pt"), std::vector<std::string>{"m.pt"});
  EXPECT_EQ(networkPaths({.swag = 2}, "m.pt"),
            (std::vector<std::string>{"m.pt", "m-1.pt", "m-2.pt"}));
  EXPECT_EQ(networkPaths({.snapshots = 2}, "m.pt"), (std::vector<std::string>{"m-1.pt", "m-2.pt"}));
}

TEST(TrainOptions, DivideEpochsIntoCycles) {
  const AveragingOptions averaging{.snapshots = 3};
  EXPECT_EQ(averaging.cycleBegin(1, 10), 3);
  EXPECT_EQ(averaging.cycleBegin(3, 10), 10);
  EXPECT_EQ(averaging.cycleOf(2, 10), 0);
  EXPECT_EQ(averaging.cycleOf(3, 10), 1);
  EXPECT_EQ(averaging.cycleOf(9, 10), 2);
}

TEST(TrainOptions, DropLessInAResidualNetworkUnlessTold) {
  TrainOptions options;
  EXPECT_EQ(effectiveDropRate(options), 0.5);
  options.architecture = "mlp";
  EXPECT_EQ(effectiveDropRate(options), 0.5);
  options.architecture = "resnet";
  EXPECT_EQ(effectiveDropRate(options), 0.2);
  options.drop_rate = 0.0;
  EXPECT_EQ(effectiveDropRate(options), 0.0);
}

TEST(TrainOptions, SurviveJson) {
  TrainOptions written;
  written.architecture = "mlp";
  written.learning_rate = 0.25;
  TrainOptions read;
  ASSERT_TRUE(fieldsFromJson(fieldsToJson(written.fields()), read.fields()).has_value());
  EXPECT_EQ(read.architecture, "mlp");
  EXPECT_EQ(read.learning_rate, 0.25);
}

}  // namespace
}  // namespace dubito
