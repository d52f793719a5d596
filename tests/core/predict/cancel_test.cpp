// SPDX-License-Identifier: GPL-3.0-or-later
// A cancel from another thread ends every stage of a prediction within a batch.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "core/io/run_file.h"
#include "core/predict/predict_to_file.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using test::loadFixture;
using test::madeImages;

// What a person is promised; a busy machine gets the threads there later.
constexpr auto kLongest = std::chrono::milliseconds(200);
constexpr auto kForABusyMachine = std::chrono::milliseconds(800);

/// Cancels from a thread of its own as soon as a stage is reported.
class Canceller {
 public:
  Canceller(RunContext& context, std::string stage) : stage_(std::move(stage)) {
    context.on_progress = [this](const Progress& progress) {
      if (progress.stage.starts_with(stage_)) {
        {
          const std::scoped_lock lock(mutex_);
          seen_ = true;
        }
        changed_.notify_all();
        // Time for the other thread, as a stage of any length would give it.
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    };
    thread_ = std::jthread([this, control = context.control()](const std::stop_token& stop) {
      std::unique_lock lock(mutex_);
      if (changed_.wait(lock, stop, [this] { return seen_; })) {
        control->requestCancel();
        requested_ = Clock::now();
      }
    });
  }

  /// Whether the stage was seen, and the cancel was followed in time.
  void expectFollowed() {
    const auto now = Clock::now();
    thread_.request_stop();
    thread_.join();
    ASSERT_TRUE(seen_) << "there was no stage " << stage_;
    EXPECT_LT(now - requested_, kLongest + kForABusyMachine) << stage_;
  }

 private:
  std::string stage_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool seen_ = false;
  Clock::time_point requested_;
  std::jthread thread_;
};

class CancelAt : public testing::Test {
 protected:
  /// Predicts in parts; cancelled at `stage`.
  void expectCancelled(const std::string& stage, bool resume = false) {
    RunContext context;
    Canceller canceller(context, stage);
    const auto run = save(resume, context);
    canceller.expectFollowed();
    ASSERT_FALSE(run) << stage;
    EXPECT_EQ(run.error().code, ErrorCode::kCancelled) << run.error().message;
    EXPECT_FALSE(fs::exists(path_));
  }
  Expected<SavedRun> save(bool resume, RunContext& context) {
    return predictToFile(*model_, images_, McDropoutOptions{.draws = 4}, {.batch = 10}, path_,
                         {.resume = resume, .part_bytes = 4000}, context);
  }

  test::TempDir folder_;
  std::string path_ = folder_.file("run.npz");
  ModelPtr model_ = loadFixture("scripted.pt");
  test::ListDataset images_ = madeImages(80, 28);
};

TEST_F(CancelAt, LoadingTheModel) {
  for (const char* stage : {"loading", "auditing"}) {
    RunContext context;
    Canceller canceller(context, stage);
    const auto model =
        loadModel((test::sourceDir() / "tests/data/models/scripted.pt").string(), {}, context);
    canceller.expectFollowed();
    ASSERT_FALSE(model) << stage;
    EXPECT_EQ(model.error().code, ErrorCode::kCancelled) << model.error().message;
  }
}

TEST_F(CancelAt, OpeningTheDataset) {
  RunContext context;
  Canceller canceller(context, "read");
  const auto dataset = openDataset(
      "idx:" + (test::sourceDir() / "datasets/samples/mnist-2000-images-idx3-ubyte.gz").string(),
      context);
  canceller.expectFollowed();
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().code, ErrorCode::kCancelled) << dataset.error().message;
}

TEST_F(CancelAt, PredictingReadingPartsAndMerging) {
  expectCancelled("predicting, parts");
  expectCancelled("reading parts", true);
  expectCancelled("predicting, parts", true);
  expectCancelled("writing", true);
  RunContext context;
  const auto run = save(true, context);
  ASSERT_OK(run);
  EXPECT_EQ(run->resumed_items, 80) << "the merge was cancelled when all items were there";
  const auto read = readRun(path_, context);
  ASSERT_OK(read);
  EXPECT_EQ(read->itemCount(), 80);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

}  // namespace
}  // namespace dubito
