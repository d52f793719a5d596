// SPDX-License-Identifier: GPL-3.0-or-later
// Retraining of a network whose target turned its classes around.
#include "core/study/retraining.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "core/predict/predict.h"
#include "core/runs/run_rows.h"
#include "core/train/train.h"
#include "tests/core/train/moving_points.h"
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

  /// The network of the suite with its runs over a target and validation items.
  struct Setting {
    explicit Setting(const std::string& target_spec = "synthetic:blobs?blobs=4&n=400&seed=5")
        : target(opened(target_spec)) {
      context.threads = 1;
      const auto loaded = loadModel(folder_->file("net.pt"), {}, context);
      EXPECT_OK(loaded);
      model = *loaded;
      on_target = runOver(*model, *target);
      on_validation = runOver(*model, *validation);
    }

    [[nodiscard]] LabellingRuns runs() const {
      return {.target = on_target, .validation = on_validation, .adaptation = on_validation};
    }

    RunContext context;
    ModelPtr model;
    DatasetPtr target;
    DatasetPtr validation = opened("synthetic:blobs?blobs=4&n=200&seed=2&role=calibration");
    dubito::Run on_target;
    dubito::Run on_validation;
  };

  static test::TempDir* folder_;
};
test::TempDir* Retraining::folder_ = nullptr;

TEST_F(Retraining, ComparesAutomaticWithTrueLabels) {
  Setting at;
  const DatasetPtr few = opened("synthetic:blobs?blobs=4&n=200&seed=3&role=calibration");
  const dubito::Run on_few = runOver(*at.model, *few);
  LabellingOptions labelling;
  labelling.targets = {0.6, 0.999};
  RetrainingOptions options;
  RetrainedNetwork network(at.model, at.validation);
  const auto results = retrain(
      {.network = network,
       .target = *at.target,
       .runs = {.target = at.on_target, .validation = at.on_validation, .adaptation = on_few}},
      labelling, options, at.context);
  ASSERT_OK(results);
  ASSERT_EQ(results->size(), 4U);
  const std::vector<std::uint8_t> in_pool = poolOf(at.on_target.ids.values());
  double right = 0.0;
  for (std::int64_t i = 0; i < 400; ++i) {
    const bool is_right = at.on_target.predictions.data()[i] == at.on_target.labels.data()[i];
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

TEST_F(Retraining, ABudgetTakesTheSurestLabels) {
  Setting at("synthetic:blobs?blobs=4&n=400&seed=5&corrupt=noise:3");
  const LabellingRuns runs = at.runs();
  LabellingOptions labelling;
  labelling.targets = {0.6};
  RetrainedNetwork network(at.model, at.validation);
  const auto unlimited =
      retrain({.network = network, .target = *at.target, .runs = runs}, labelling, {}, at.context);
  ASSERT_OK(unlimited);
  ASSERT_GT(unlimited->front().labels, 50);
  const auto results = retrain({.network = network, .target = *at.target, .runs = runs}, labelling,
                               {.budget = 30}, at.context);
  ASSERT_OK(results);
  // Slow and plain: the pool by confidence.
  const std::vector<std::uint8_t> in_pool = poolOf(at.on_target.ids.values());
  std::vector<std::pair<double, std::int64_t>> pool;  // with the row, which is the position
  for (std::int64_t i = 0; i < 400; ++i) {
    if (in_pool[static_cast<std::size_t>(i)] != 0) {
      pool.emplace_back(at.on_target.confidence.data()[i], i);
    }
  }
  std::ranges::sort(pool, std::greater());
  ASSERT_GT(pool[29].first, pool[30].first);  // no tie
  const auto right = std::ranges::count_if(pool.begin(), pool.begin() + 30, [&](const auto& item) {
    return at.on_target.predictions.data()[item.second] == at.on_target.labels.data()[item.second];
  });
  for (const RetrainingResult& result : *results) {
    EXPECT_EQ(result.labels, 30);
    EXPECT_EQ(result.right, right);
    EXPECT_EQ(result.pool, 200);
  }
  // A budget that is larger than what the rule labels changes nothing.
  const auto ample = retrain({.network = network, .target = *at.target, .runs = runs}, labelling,
                             {.budget = 1000}, at.context);
  ASSERT_OK(ample);
  EXPECT_EQ(toJson(*ample), toJson(*unlimited));
}

TEST_F(Retraining, OfEquallySureItemsAHashOfTheIdChooses) {
  // All items of a network that is certain of everything are tied.
  Setting at;
  for (dubito::Run* const run : {&at.on_target, &at.on_validation}) {
    run->confidence = Array<double>::fromVector(
        {run->itemCount()}, std::vector<double>(static_cast<std::size_t>(run->itemCount()), 1.0));
  }
  LabellingOptions labelling;
  labelling.targets = {0.3};
  RetrainedNetwork network(at.model, at.validation);
  const auto results = retrain({.network = network, .target = *at.target, .runs = at.runs()},
                               labelling, {.budget = 50}, at.context);
  ASSERT_OK(results);
  const std::vector<std::uint8_t> in_pool = poolOf(at.on_target.ids.values());
  std::vector<std::int64_t> ids;
  std::vector<bool> is_right;
  for (std::int64_t i = 0; i < 400; ++i) {
    if (in_pool[static_cast<std::size_t>(i)] != 0) {
      ids.push_back(at.on_target.ids.data()[i]);
      is_right.push_back(at.on_target.predictions.data()[i] == at.on_target.labels.data()[i]);
    }
  }
  std::int64_t right = 0;
  for (const std::int64_t row : keyedRows(ids, 50)) {
    right += is_right[static_cast<std::size_t>(row)] ? 1 : 0;
  }
  EXPECT_EQ(results->front().labels, 50);
  EXPECT_EQ(results->front().right, right);
}

TEST_F(Retraining, NothingIsComputedTwice) {
  Setting at;
  const LabellingRuns runs = at.runs();
  std::map<std::string, int> beginnings;
  at.context.on_progress = [&](const Progress& progress) {
    beginnings[progress.stage] += progress.done == 0 ? 1 : 0;
    // Reports that follow too soon are left out.
    std::this_thread::sleep_for(std::chrono::milliseconds(41));
  };
  const RetrainingOptions few_iterations{.l2 = 10.0};
  LabellingOptions labelling;
  labelling.targets = {0.6, 0.6};
  RetrainedNetwork network(at.model, at.validation);
  const auto first = retrain({.network = network, .target = *at.target, .runs = runs}, labelling,
                             few_iterations, at.context);
  ASSERT_OK(first);
  // Two rules with the same calibration and two equal guarantees label the whole pool, so that
  // random and uncertain items are the same ones.
  ASSERT_EQ(first->front().labels, first->front().pool);
  EXPECT_EQ(beginnings["training the head"], 2);
  EXPECT_EQ(beginnings["computing features"], 2);
  const auto second = retrain({.network = network, .target = *at.target, .runs = runs}, labelling,
                              few_iterations, at.context);
  ASSERT_OK(second);
  EXPECT_EQ(beginnings["computing features"], 3);  // those of the source are kept
  EXPECT_EQ(toJson(*second), toJson(*first));
}

TEST_F(Retraining, AllLayersLearnATargetThatHasMoved) {
  RunContext context;
  context.threads = 1;
  context.seed = 3;
  TrainOptions options;
  options.architecture = "mlp";
  options.epochs = 10;
  options.width = 0.25;
  options.drop_rate = 0.0;
  const auto source = test::fourBlobs(600, 0.0F, 1, Role::kTrain);
  ASSERT_OK(train(source, options, folder_->file("moved.pt"), context));
  const auto model = loadModel(folder_->file("moved.pt"), {}, context);
  ASSERT_OK(model);
  const auto target = test::fourBlobs(400, 8.0F, 5, Role::kTest);
  const auto validation =
      std::make_shared<const ArrayDataset>(test::fourBlobs(200, 0.0F, 2, Role::kCalibration));
  const dubito::Run on_target = runOver(**model, target);
  const dubito::Run on_validation = runOver(**model, *validation);
  const LabellingRuns runs{
      .target = on_target, .validation = on_validation, .adaptation = on_validation};
  LabellingOptions labelling;
  labelling.targets = {0.6};
  RetrainingOptions all{.layers = "all", .budget = 80};
  all.fine_tuning = {.epochs = 60, .batch = 32, .learning_rate = 0.05};
  RetrainedNetwork network(*model, validation);
  const auto results =
      retrain({.network = network, .target = target, .runs = runs}, labelling, all, context);
  ASSERT_OK(results);
  const RetrainingResult& result = results->front();
  ASSERT_EQ(result.labels, 80);
  EXPECT_LT(result.accuracy.before, 0.6);
  EXPECT_GT(result.accuracy.random, 0.9);
  EXPECT_GT(result.accuracy.uncertain, result.accuracy.before);

  // Slow and plain: the last layer, and ten items of the pool by confidence.
  const std::vector<std::uint8_t> in_pool = poolOf(on_target.ids.values());
  std::vector<std::pair<double, std::int64_t>> pool;  // with the row, which is the position
  std::vector<std::int64_t> tested;
  for (std::int64_t i = 0; i < 400; ++i) {
    if (in_pool[static_cast<std::size_t>(i)] != 0) {
      pool.emplace_back(on_target.confidence.data()[i], i);
    } else {
      tested.push_back(i);
    }
  }
  std::ranges::sort(pool, std::greater());
  ASSERT_GT(pool[189].first, pool[190].first);  // no tie
  const auto learner = targetLearner(network, target, {}, {}, context);
  ASSERT_OK(learner);
  const auto accuracyAfter = [&](std::size_t first, const Array<std::int64_t>& labels) {
    std::vector<TargetLabel> labelled;
    for (std::size_t i = first; i < first + 10; ++i) {
      labelled.push_back({pool[i].second, labels.data()[pool[i].second]});
    }
    std::ranges::sort(labelled);
    const auto classes = (*learner)->classesAfter(labelled, tested, context);
    EXPECT_OK(classes);
    double sum = 0.0;
    for (std::size_t i = 0; classes && i < tested.size(); ++i) {
      sum += (*classes)[i] == on_target.labels.data()[tested[i]] ? 1.0 : 0.0;
    }
    return sum / static_cast<double>(tested.size());
  };
  ASSERT_NE(accuracyAfter(190, on_target.labels), accuracyAfter(0, on_target.labels));
  const auto few = retrain({.network = network, .target = target, .runs = runs}, labelling,
                           {.budget = 10}, context);
  ASSERT_OK(few);
  EXPECT_EQ(few->front().accuracy.uncertain, accuracyAfter(190, on_target.labels));
  const auto again =
      retrain({.network = network, .target = target, .runs = runs}, labelling, all, context);
  ASSERT_OK(again);
  EXPECT_EQ(toJson(*again), toJson(*results));
}

TEST(RetrainingOptions, OnlyThoseWithAnEffectArePartOfKeys) {
  RetrainingOptions options;
  EXPECT_EQ(options.effective().dump(), R"({"l2":0.001})");
  options.fine_tuning.epochs = 3;
  EXPECT_EQ(options.effective().dump(), R"({"l2":0.001})");
  options.budget = 7;
  EXPECT_EQ(options.effective().dump(), R"({"budget":7,"l2":0.001})");
  options.layers = "all";
  options.budget = {};
  EXPECT_EQ(options.effective().dump(),
            R"({"batch":128,"epochs":3,"layers":"all","learning_rate":0.01})");
  options.layers = "some";
  EXPECT_FALSE(options.check());
}

TEST_F(Retraining, TheSourceIsAlwaysTrainedOn) {
  RunContext context;
  context.threads = 1;
  const auto model = loadModel(folder_->file("net.pt"), {}, context);
  ASSERT_OK(model);
  const DatasetPtr target = opened("synthetic:blobs?blobs=4&n=400&seed=5");
  RetrainedNetwork network(*model, opened("synthetic:blobs?blobs=4&n=200&seed=2"));
  std::vector<std::int64_t> of_source(200);
  std::iota(of_source.begin(), of_source.end(), 0);
  std::vector<std::int64_t> tested(300);
  std::iota(tested.begin(), tested.end(), 100);
  // These labels alone would teach that everything is of class 0.
  std::vector<TargetLabel> labelled;
  for (std::int64_t i = 0; i < 20; ++i) {
    labelled.push_back({i, 0});
  }
  for (const char* const layers : {"last", "all"}) {
    RetrainingOptions options{.layers = layers};
    options.fine_tuning = {.epochs = 20, .batch = 32, .learning_rate = 0.05};
    const auto learner = targetLearner(network, *target, of_source, options, context);
    ASSERT_OK(learner);
    const auto classes = (*learner)->classesAfter(labelled, tested, context);
    ASSERT_OK(classes);
    double right = 0.0;
    for (std::size_t i = 0; i < tested.size(); ++i) {
      right += (*classes)[i] == target->labels()[static_cast<std::size_t>(tested[i])] ? 1.0 : 0.0;
    }
    EXPECT_GT(right / 300.0, 0.7) << layers;
  }
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
