// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train_ensemble.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "core/base/rank_group.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

TrainOptions quick() {
  TrainOptions options;
  options.architecture = "mlp";
  options.epochs = 2;
  options.batch = 32;
  options.width = 0.1;
  return options;
}

/// Trains `members` on vectors; cancels in the first epoch of member `cancel_in`.
Expected<std::vector<MemberReport>> trainMembers(const std::string& path,
                                                 const TrainOptions& options, std::int64_t members,
                                                 int cancel_in = 0,
                                                 const RunContext& given = RunContext()) {
  RunContext context = given;
  context.seed = 7;
  context.on_progress = [&](const Progress& progress) {
    if (progress.stage == "member " + std::to_string(cancel_in) + " of " + std::to_string(members) +
                              ", epoch 1 of 2") {
      context.control()->requestCancel();
    }
  };
  return trainEnsemble(test::blobs(120), options, {.members = members}, path, context);
}

std::vector<bool> wereTrained(const std::vector<MemberReport>& reports) {
  std::vector<bool> were_trained;
  for (const MemberReport& report : reports) {
    were_trained.push_back(report.was_trained);
  }
  return were_trained;
}

TEST(TrainEnsemble, MembersAreTrainingsWithConsecutiveSeeds) {
  const test::TempDir dir;
  const auto reports = trainMembers(dir.file("m.pt"), quick(), 3);
  ASSERT_OK(reports);
  ASSERT_EQ(reports->size(), 3U);
  const test::TempDir alone;
  for (std::int64_t member = 1; member <= 3; ++member) {
    const MemberReport& report = (*reports)[static_cast<std::size_t>(member - 1)];
    EXPECT_EQ(report.seed, static_cast<std::uint64_t>(6 + member));
    EXPECT_FALSE(report.was_trained);
    RunContext context;
    context.seed = report.seed;
    const std::string path = numberedPath(alone.file("m.pt"), member);
    ASSERT_OK(train(test::blobs(120), quick(), path, context));
    EXPECT_EQ(test::readBytes(numberedPath(dir.file("m.pt"), member)), test::readBytes(path));
  }
  EXPECT_FALSE(std::filesystem::exists(dir.file("m.pt")));
}

TEST(TrainEnsemble, KeepsFinishedMembersAndResumesTheInterruptedOne) {
  const test::TempDir dir;
  const std::string path = dir.file("m.pt");
  const auto cancelled = trainMembers(path, quick(), 3, 2);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_THAT(cancelled.error().message, HasSubstr("m-2.pt"));
  EXPECT_THAT(cancelled.error().message, HasSubstr("1 finished before it is kept"));
  EXPECT_TRUE(std::filesystem::exists(dir.file("m-1.pt")));
  EXPECT_TRUE(std::filesystem::exists(dir.file("m-2.pt.part")));
  const auto written = std::filesystem::last_write_time(dir.file("m-1.pt"));
  const auto reports = trainMembers(path, quick(), 3);
  ASSERT_OK(reports);
  EXPECT_EQ(wereTrained(*reports), (std::vector<bool>{true, false, false}));
  EXPECT_EQ((*reports)[0].training.networks, std::vector<std::string>{dir.file("m-1.pt")});
  EXPECT_TRUE((*reports)[1].training.resumed);
  EXPECT_EQ(std::filesystem::last_write_time(dir.file("m-1.pt")), written);
  const test::TempDir whole;
  ASSERT_OK(trainMembers(whole.file("m.pt"), quick(), 3));
  for (const char* const name : {"m-1.pt", "m-2.pt", "m-3.pt"}) {
    EXPECT_EQ(test::readBytes(dir.file(name)), test::readBytes(whole.file(name))) << name;
  }
}

TEST(TrainEnsemble, TrainsAgainWhatDiffersOrIsIncomplete) {
  const test::TempDir dir;
  const std::string path = dir.file("m.pt");
  ASSERT_OK(trainMembers(path, quick(), 2));
  EXPECT_EQ(wereTrained(*trainMembers(path, quick(), 2)), (std::vector<bool>{true, true}));
  EXPECT_EQ(wereTrained(*trainMembers(path, quick(), 3)), (std::vector<bool>{true, true, false}));
  TrainOptions other = quick();
  other.drop_rate = 0.25;
  EXPECT_EQ(wereTrained(*trainMembers(path, other, 2)), (std::vector<bool>{false, false}));
  EXPECT_EQ(wereTrained(*trainMembers(path, other, 2)), (std::vector<bool>{true, true}));
  RunContext context;
  context.seed = 7;
  auto reports = trainEnsemble(test::blobs(90), other, {.members = 2}, path, context);
  ASSERT_OK(reports);
  EXPECT_EQ(wereTrained(*reports), (std::vector<bool>{false, false}));
  context.seed = 8;
  reports = trainEnsemble(test::blobs(90), other, {.members = 2}, path, context);
  ASSERT_OK(reports);
  EXPECT_EQ(wereTrained(*reports), (std::vector<bool>{false, false}));
  other.restart = true;
  reports = trainEnsemble(test::blobs(90), other, {.members = 2}, path, context);
  ASSERT_OK(reports);
  EXPECT_EQ(wereTrained(*reports), (std::vector<bool>{false, false}));
  // A damaged file is trained again.
  other.restart = false;
  const std::string bytes = test::readBytes(dir.file("m-1.pt"));
  test::writeBytes(dir.file("m-1.pt"), bytes.substr(0, bytes.size() / 2));
  reports = trainEnsemble(test::blobs(90), other, {.members = 2}, path, context);
  ASSERT_OK(reports);
  EXPECT_EQ(wereTrained(*reports), (std::vector<bool>{false, true}));
  EXPECT_EQ(test::readBytes(dir.file("m-1.pt")), bytes);
}

TEST(TrainEnsemble, MembersMayHaveSnapshotsAndSamples) {
  const test::TempDir dir;
  TrainOptions options = quick();
  options.averaging.snapshots = 2;
  ASSERT_OK(trainMembers(dir.file("m.pt"), options, 2));
  for (const char* const name : {"m-1-1.pt", "m-1-2.pt", "m-2-1.pt", "m-2-2.pt"}) {
    EXPECT_TRUE(std::filesystem::exists(dir.file(name))) << name;
  }
  EXPECT_EQ(wereTrained(*trainMembers(dir.file("m.pt"), options, 2)),
            (std::vector<bool>{true, true}));
  std::filesystem::remove(dir.file("m-2-1.pt"));
  EXPECT_EQ(wereTrained(*trainMembers(dir.file("m.pt"), options, 2)),
            (std::vector<bool>{true, false}));
  options.averaging = {.swa_share = 1.0, .swag = 1};
  ASSERT_OK(trainMembers(dir.file("g.pt"), options, 2));
  for (const char* const name : {"g-1.pt", "g-1-1.pt", "g-2.pt", "g-2-1.pt"}) {
    EXPECT_TRUE(std::filesystem::exists(dir.file(name))) << name;
  }
}

/// One of several processes that never talk.
class OneOf : public RankGroup {
 public:
  OneOf(int rank, int size) : rank_(rank), size_(size) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  void sum(std::span<double> /*values*/) override { throw std::logic_error("nothing is summed"); }
  [[nodiscard]] std::vector<std::string> gather(const std::string& /*text*/) override {
    throw std::logic_error("nothing is gathered");
  }
  [[noreturn]] void abort(int /*exit_code*/) override { std::abort(); }

 private:
  int rank_;
  int size_;
};

TEST(TrainEnsemble, ProcessesShareTheMembers) {
  const test::TempDir dir;
  std::vector<std::int64_t> numbers;
  for (int rank = 0; rank < 3; ++rank) {
    RunContext context;
    context.ranks = std::make_shared<OneOf>(rank, 3);
    const auto reports = trainMembers(dir.file("m.pt"), quick(), 4, 0, context);
    ASSERT_OK(reports);
    for (const MemberReport& report : *reports) {
      numbers.push_back(report.number);
      EXPECT_EQ(report.seed, static_cast<std::uint64_t>(6 + report.number));
    }
  }
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 4, 2, 3}));
}

TEST(TrainEnsemble, RefusesWhatTrainRefuses) {
  const test::TempDir dir;
  RunContext context;
  EXPECT_FALSE(trainEnsemble(test::blobs(30), quick(), {.members = 0}, dir.file("m.pt"), context));
  EXPECT_FALSE(
      trainEnsemble(test::blobs(30), quick(), {.members = 2}, dir.file("no/m.pt"), context));
  TrainOptions lenet;
  EXPECT_THAT(trainEnsemble(test::blobs(30), lenet, {.members = 2}, dir.file("m.pt"), context)
                  .error()
                  .message,
              HasSubstr("train an mlp"));
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

}  // namespace
}  // namespace dubito
