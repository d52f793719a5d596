// SPDX-License-Identifier: GPL-3.0-or-later
// A cancel ends every stage of a prediction before the next stage begins.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "core/io/run_file.h"
#include "core/predict/predict_to_file.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::loadFixture;
using test::madeImages;

/// Cancels as soon as a stage is reported.
class Canceller {
 public:
  Canceller(RunContext& context, std::string stage) : stage_(std::move(stage)) {
    context.on_progress = [this, control = context.control()](const Progress& progress) {
      if (progress.stage.starts_with(stage_)) {
        control->requestCancel();
        seen_ = true;
      } else if (seen_) {
        later_stage_ = progress.stage;
      }
    };
  }

  /// Whether the stage was seen, and the computation ended there.
  void expectFollowed() const {
    ASSERT_TRUE(seen_) << "there was no stage " << stage_;
    EXPECT_EQ(later_stage_, "") << "after " << stage_;
  }

 private:
  std::string stage_;
  std::string later_stage_;
  bool seen_ = false;
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
