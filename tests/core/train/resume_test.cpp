// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/import.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/train/train.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TrainOptions quick(const std::string& architecture, const std::string& optimiser) {
  TrainOptions options;
  options.architecture = architecture;
  options.optimiser = optimiser;
  options.epochs = 3;
  options.batch = 32;
  options.width = 0.2;
  options.shift = 1;
  return options;
}

Expected<TrainReport> trainTo(const std::string& path, const TrainOptions& options,
                              std::int64_t cancel_at_batch = -1, std::uint64_t seed = 4,
                              std::int64_t items = 200) {
  RunContext context;
  context.seed = seed;
  std::int64_t batch = 0;
  context.on_progress = [&](const Progress& progress) {
    if (cancel_at_batch < 0 || !progress.stage.starts_with("epoch")) {
      return;
    }
    if (batch++ == cancel_at_batch) {
      context.control()->requestCancel();
    }
    // Longer than the pause between two reports, so that every batch is reported.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  return train(test::barImages(items, 20), options, path, context);
}

std::vector<at::Tensor> tensorsOf(const std::string& path) {
  std::vector<at::Tensor> tensors;
  const torch::jit::Module network = torch::jit::load(path);
  for (const at::Tensor& parameter : network.parameters()) {
    tensors.push_back(parameter.detach());
  }
  for (const at::Tensor& buffer : network.buffers()) {
    tensors.push_back(buffer);
  }
  return tensors;
}

struct Kind {
  std::string architecture;
  std::string optimiser;
  std::string dropout = "fixed";
};

class ResumedTraining : public testing::TestWithParam<Kind> {};

TEST_P(ResumedTraining, EndsWithTheSameWeightsBitForBit) {
  const test::TempDir dir;
  TrainOptions options = quick(GetParam().architecture, GetParam().optimiser);
  options.dropout = GetParam().dropout;
  const auto whole = trainTo(dir.file("whole.pt"), options);
  ASSERT_OK(whole);
  EXPECT_FALSE(whole->resumed);
  const std::string path = dir.file("resumed.pt");
  // Amid the first epoch, then in the first batch of the second, then amid the last one.
  for (const std::int64_t batches : {3, 4, 10}) {
    const auto cancelled = trainTo(path, options, batches);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  const auto resumed = trainTo(path, options);
  ASSERT_OK(resumed);
  EXPECT_TRUE(resumed->resumed);
  EXPECT_FALSE(std::filesystem::exists(checkpointPath(path)));
  ASSERT_EQ(resumed->epochs.size(), whole->epochs.size());
  for (std::size_t i = 0; i < whole->epochs.size(); ++i) {
    EXPECT_EQ(resumed->epochs[i].train_loss, whole->epochs[i].train_loss);
    EXPECT_EQ(resumed->epochs[i].train_accuracy, whole->epochs[i].train_accuracy);
  }
  const auto expected = tensorsOf(dir.file("whole.pt"));
  const auto tensors = tensorsOf(path);
  ASSERT_EQ(tensors.size(), expected.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_TRUE(tensors[i].equal(expected[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Train, ResumedTraining,
                         testing::Values(Kind{"lenet", "sgd"}, Kind{"resnet", "sgd"},
                                         Kind{"mlp", "adam"}, Kind{"lenet", "adam", "concrete"},
                                         Kind{"resnet", "sgd", "multi"}),
                         [](const auto& test_case) {
                           return test_case.param.architecture + "_" + test_case.param.dropout;
                         });

TEST(Resume, RefusesOtherOptionsSeedAndDataUntilToldToRestart) {
  const test::TempDir dir;
  const std::string path = dir.file("m.pt");
  const TrainOptions options = quick("mlp", "sgd");
  ASSERT_FALSE(trainTo(path, options, 9));
  TrainOptions other = options;
  other.epochs = 5;
  other.drop_rate = 0.25;
  const auto refused = trainTo(path, other);
  ASSERT_FALSE(refused);
  for (const char* part : {"m.pt.part", "epochs 3 instead of 5", "drop_rate", "start over"}) {
    EXPECT_THAT(refused.error().message, HasSubstr(part));
  }
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("restart")));
  EXPECT_THAT(trainTo(path, options, -1, 5).error().message, HasSubstr("seed 4 instead of 5"));
  EXPECT_THAT(trainTo(path, options, -1, 4, 190).error().message, HasSubstr("data"));
  other.restart = true;
  const auto restarted = trainTo(path, other);
  ASSERT_OK(restarted);
  EXPECT_FALSE(restarted->resumed);
  EXPECT_EQ(restarted->epochs.size(), 5U);
  EXPECT_FALSE(std::filesystem::exists(checkpointPath(path)));
}

TEST(Resume, WritesTheStateOnlyOnceSomeSecondsAreAtStake) {
  const test::TempDir dir;
  const std::string path = dir.file("m.pt");
  RunContext context;
  std::vector<bool> written;
  TrainEvents events;
  events.on_epoch = [&](const EpochReport& epoch) {
    written.push_back(std::filesystem::exists(checkpointPath(path)));
    if (epoch.epoch == 1) {
      std::this_thread::sleep_for(
          std::chrono::duration<double>(kMinSecondsBetweenCheckpoints + 0.1));
    }
  };
  ASSERT_OK(train(test::barImages(60, 20), quick("mlp", "sgd"), path, context, events));
  EXPECT_EQ(written, (std::vector<bool>{false, true, true}));
}

TEST(Resume, RefusesADamagedStateAtAnyLength) {
  const test::TempDir dir;
  const std::string path = dir.file("m.pt");
  const TrainOptions options = quick("mlp", "adam");
  ASSERT_FALSE(trainTo(path, options, 9));
  const auto good = test::readBytes(checkpointPath(path));
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 1}) {
    test::writeBytes(checkpointPath(path), good.substr(0, size));
    const auto refused = trainTo(path, options);
    ASSERT_FALSE(refused) << size;
    EXPECT_THAT(refused.error().message, HasSubstr("cannot be read; start over"));
    EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("restart")));
  }
  for (std::size_t i = 0; i < 40; ++i) {
    std::string bad = good;
    char& byte = bad[i * (good.size() - 1) / 39];
    byte = static_cast<char>(byte ^ 0x55);
    test::writeBytes(checkpointPath(path), bad);
    const auto report = trainTo(path, options, 0);
    ASSERT_FALSE(report);  // cancelled at once where the byte did not matter
  }
}

}  // namespace
}  // namespace dubito
