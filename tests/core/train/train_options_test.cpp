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
