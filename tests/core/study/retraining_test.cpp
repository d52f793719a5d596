// SPDX-License-Identifier: GPL-3.0-or-later
// Retraining of a network whose target turned its classes around.
#include "core/study/retraining.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/inference/runs/predict.h"
#include "core/train/train.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

DatasetPtr opened(const std::string& spec) {
  RunContext context;
  auto data = openDataset(spec, context);
  EXPECT_OK(data);
  return *data;
}

class Retraining : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TempDir;
    RunContext context;
    context.threads = 1;
    TrainOptions options;
    options.architecture = "mlp";
    options.epochs = 15;
    options.width = 0.25;
    const DatasetPtr source = opened("synthetic:blobs?blobs=4&n=600&seed=1&role=train");
    ASSERT_OK(train(*source, options, folder_->file("net.pt"), context));
  }
  static void TearDownTestSuite() { delete folder_; }

  static dubito::Run runOver(const Model& model, const Dataset& data) {
    RunContext context;
    context.threads = 1;
    auto run = predict(model, data, MapOptions(), {}, context);
    EXPECT_OK(run);
    return run.value_or(dubito::Run());
  }

  static test::TempDir* folder_;
};
test::TempDir* Retraining::folder_ = nullptr;

TEST_F(Retraining, ComparesAutomaticWithTrueLabels) {
  RunContext context;
  context.threads = 1;
  const auto model = loadModel(folder_->file("net.pt"), {}, context);
  ASSERT_OK(model);
  const DatasetPtr target = opened("synthetic:blobs?blobs=4&n=400&seed=5");
  const DatasetPtr validation = opened("synthetic:blobs?blobs=4&n=200&seed=2&role=calibration");
  const DatasetPtr few = opened("synthetic:blobs?blobs=4&n=200&seed=3&role=calibration");
  const dubito::Run on_target = runOver(**model, *target);
  const dubito::Run on_validation = runOver(**model, *validation);
  const dubito::Run on_few = runOver(**model, *few);
  LabellingOptions labelling;
  labelling.targets = {0.6, 0.999};
  RetrainingOptions options;
  const auto results =
      retrain({.model = **model,
               .target = *target,
               .validation = *validation,
               .runs = {.target = on_target, .validation = on_validation, .adaptation = on_few}},
              labelling, options, context);
  ASSERT_OK(results);
  ASSERT_EQ(results->size(), 4U);
  const std::vector<std::uint8_t> in_pool = poolOf(on_target.ids.values());
  double right = 0.0;
  for (std::int64_t i = 0; i < 400; ++i) {
    const bool is_right = on_target.predictions.data()[i] == on_target.labels.data()[i];
    right += in_pool[static_cast<std::size_t>(i)] == 0 && is_right ? 1.0 : 0.0;
  }
  for (const RetrainingResult& result : *results) {
    EXPECT_EQ(result.pool, 200);
    EXPECT_EQ(result.tested, 200);
    EXPECT_NEAR(result.accuracy.before, right / 200.0, 1e-12);
  }
  // Nearly everything may be labelled at 60 %, nothing at 99.9 % of 200 items.
  const RetrainingResult& easy = results->front();
  EXPECT_EQ(easy.rule, LabellingRule::kSource);
  EXPECT_GT(easy.labels, 150);
  EXPECT_GT(easy.right, easy.labels / 2);
  // All true labels of the pool are nearly the same set whatever the order.
  EXPECT_NEAR(easy.accuracy.random, easy.accuracy.uncertain, 0.1);
  EXPECT_GT(easy.accuracy.random, 0.8);
  const RetrainingResult& hard = (*results)[2];
  EXPECT_EQ(hard.labels, 0);
  EXPECT_EQ(hard.accuracy.automatic, hard.accuracy.before);
  EXPECT_EQ(hard.accuracy.random, hard.accuracy.before);

  const auto read = retrainingFromJson(toJson(*results), "file");
  ASSERT_OK(read);
  EXPECT_EQ(toJson(*read), toJson(*results));
  EXPECT_FALSE(retrainingFromJson(nlohmann::json::parse("[{}]"), "file"));
}

TEST_F(Retraining, TheHalvesDoNotDependOnTheOrder) {
  std::vector<std::int64_t> ids(101);
  std::iota(ids.begin(), ids.end(), 1000);
  const std::vector<std::uint8_t> pool = poolOf(ids);
  EXPECT_EQ(std::accumulate(pool.begin(), pool.end(), 0), 50);
  std::ranges::reverse(ids);
  std::vector<std::uint8_t> reversed = poolOf(ids);
  std::ranges::reverse(reversed);
  EXPECT_EQ(reversed, pool);
}

}  // namespace
}  // namespace dubito
