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
  const auto message = [](const AveragingOptions& averaging) {
    TrainOptions options;
    options.epochs = 4;
    options.averaging = averaging;
    const Status checked = options.check();
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(message({.swa = true}), "");
  EXPECT_EQ(message({.swa = true, .snapshots = 2}),
            "--snapshots cannot be combined with --swa; choose one of them");
  EXPECT_EQ(message({.swag = 2, .snapshots = 2}),
            "--snapshots cannot be combined with --swag; choose one of them");
  EXPECT_EQ(message({.swag = 2}),
            "--swag needs at least two averaged epochs, but 1 of 4 are averaged; use a larger "
            "--swa-share or more --epochs");
  EXPECT_EQ(message({.swa_share = 0.5, .swag = 2}), "");
  EXPECT_EQ(message({.snapshots = 1}),
            "--snapshots must be at least 2; leave it out for one network");
  EXPECT_EQ(message({.snapshots = 5}),
            "--snapshots 5 needs at least one epoch each; use --epochs 5 or more");
  EXPECT_EQ(message({.snapshots = 4}), "");
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
