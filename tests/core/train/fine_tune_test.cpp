// SPDX-License-Identifier: GPL-3.0-or-later
// Training all layers of a network further, on points that have moved.
#include "core/train/fine_tuning/fine_tune.h"

#include <cmath>
#include <stdexcept>

#include "core/models/model.h"
#include "core/predict/predict.h"
#include "core/train/train.h"
#include "tests/core/train/moving_points.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// The source is around (0, 0), the target around (8, 8).
constexpr float kMoved = 8.0F;
constexpr FineTuningOptions kEnough{.epochs = 30, .batch = 32, .learning_rate = 0.05};

RunContext contextOf(std::uint64_t seed) {
  RunContext context(std::make_shared<RunControl>());
  context.threads = 1;
  context.seed = seed;
  return context;
}

std::vector<std::int64_t> upTo(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> positions;
  for (std::int64_t i = begin; i < end; ++i) {
    positions.push_back(i);
  }
  return positions;
}

LabelledItems itemsOf(const Dataset& data, std::int64_t begin, std::int64_t end) {
  LabelledItems items{.dataset = &data, .positions = upTo(begin, end), .labels = {}};
  for (const std::int64_t position : items.positions) {
    items.labels.push_back(data.labels()[static_cast<std::size_t>(position)]);
  }
  return items;
}

double accuracyOf(const std::vector<std::int64_t>& classes, const LabelledItems& items) {
  double right = 0.0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    right += classes[i] == items.labels[i] ? 1.0 : 0.0;
  }
  return right / static_cast<double>(classes.size());
}

class FineTune : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TempDir;
    RunContext context = contextOf(1);
    TrainOptions options;
    options.architecture = "mlp";
    options.epochs = 10;
    options.width = 0.25;
    options.dropout = "multi";
    const auto source = test::fourBlobs(600, 0.0F, 1, Role::kTrain);
    ASSERT_OK(train(source, options, folder_->file("net.pt"), context));
    auto model = loadModel(folder_->file("net.pt"), {}, context);
    ASSERT_OK(model);
    model_ = new ModelPtr(*std::move(model));
  }
  static void TearDownTestSuite() {
    delete model_;
    delete folder_;
  }

  [[nodiscard]] Expected<std::vector<std::int64_t>> classesAfter(const FineTuningOptions& options,
                                                                 std::uint64_t seed) const {
    RunContext context = contextOf(seed);
    const auto tuned =
        fineTune(**model_, {itemsOf(source_, 0, 200), itemsOf(target_, 0, 100)}, options, context);
    return tuned ? tuned->classesOf(target_, tested_.positions, context) : failWith(tuned);
  }
  [[nodiscard]] std::vector<double> predictions() const {
    RunContext context = contextOf(1);
    const auto run = predict(**model_, target_, MapOptions(), {}, context);
    EXPECT_OK(run);
    return run ? std::vector<double>(run->confidence.values().begin(),
                                     run->confidence.values().end())
               : std::vector<double>();
  }

  static test::TempDir* folder_;
  static ModelPtr* model_;
  const ArrayDataset source_ = test::fourBlobs(200, 0.0F, 2, Role::kCalibration);
  const ArrayDataset target_ = test::fourBlobs(500, kMoved, 3, Role::kTest);
  const LabelledItems tested_ = itemsOf(target_, 100, 500);
};
test::TempDir* FineTune::folder_ = nullptr;
ModelPtr* FineTune::model_ = nullptr;

TEST_F(FineTune, LabelsOfTheTargetTeachTheTarget) {
  RunContext context = contextOf(1);
  const std::vector<double> before = predictions();
  // Far too small steps: the network as it was.
  const auto untaught = classesAfter({.epochs = 1, .batch = 300, .learning_rate = 1e-8}, 1);
  ASSERT_OK(untaught);
  EXPECT_LT(accuracyOf(*untaught, tested_), 0.6);
  const auto tuned =
      fineTune(**model_, {itemsOf(source_, 0, 200), itemsOf(target_, 0, 100)}, kEnough, context);
  ASSERT_OK(tuned);
  const auto taught = tuned->classesOf(target_, tested_.positions, context);
  ASSERT_OK(taught);
  EXPECT_GT(accuracyOf(*taught, tested_), 0.95);
  // The source is not forgotten, and the model is what it was.
  const LabelledItems of_source = itemsOf(source_, 0, 200);
  const auto on_source = tuned->classesOf(source_, of_source.positions, context);
  ASSERT_OK(on_source);
  EXPECT_GT(accuracyOf(*on_source, of_source), 0.95);
  EXPECT_EQ(predictions(), before);
}

TEST_F(FineTune, WrongLabelsAreLearnedToo) {
  RunContext context = contextOf(1);
  LabelledItems turned = itemsOf(target_, 0, 100);
  for (std::int64_t& label : turned.labels) {
    label = (label + 1) % 4;
  }
  const auto tuned = fineTune(**model_, {itemsOf(source_, 0, 200), turned}, kEnough, context);
  ASSERT_OK(tuned);
  const auto classes = tuned->classesOf(target_, tested_.positions, context);
  ASSERT_OK(classes);
  EXPECT_LT(accuracyOf(*classes, tested_), 0.1);
}

TEST_F(FineTune, TheSameSeedGivesTheSameNetwork) {
  // After a few large steps, seeds differ: by their masks, because a batch has all items.
  const FineTuningOptions few{.epochs = 5, .batch = 300, .learning_rate = 0.5};
  const auto first = classesAfter(few, 1);
  const auto second = classesAfter(few, 1);
  const auto other = classesAfter(few, 2);
  ASSERT_OK(first);
  ASSERT_OK(second);
  ASSERT_OK(other);
  EXPECT_EQ(*first, *second);
  EXPECT_NE(*first, *other);
  // Predictions have no masks.
  RunContext context = contextOf(1);
  const auto tuned =
      fineTune(**model_, {itemsOf(source_, 0, 200), itemsOf(target_, 0, 100)}, few, context);
  ASSERT_OK(tuned);
  RunContext elsewhere = contextOf(7);
  const auto predicted = tuned->classesOf(target_, tested_.positions, elsewhere);
  ASSERT_OK(predicted);
  EXPECT_EQ(*predicted, *first);
}

TEST_F(FineTune, NetworksThatCannotBeTrainedAreNamed) {
  RunContext context = contextOf(1);
  const auto refused = [&](const char* name) {
    const auto path = test::sourceDir() / "tests" / "data" / "models" / name;
    const auto model = loadModel(path.string(), {}, context);
    EXPECT_OK(model);
    const auto tuned = fineTune(**model, {itemsOf(source_, 0, 200)}, {}, context);
    EXPECT_FALSE(tuned);
    EXPECT_EQ(tuned.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(tuned.error().message, HasSubstr(name));
    EXPECT_THAT(tuned.error().message, HasSubstr("\"layers\": \"last\""));
    return tuned.error().message;
  };
  EXPECT_THAT(refused("frozen.pt"), HasSubstr("torch.jit.freeze"));
  EXPECT_THAT(refused("quantised.pt"), HasSubstr("quantised"));
  EXPECT_THAT(refused("softmax.pt"), HasSubstr("logits"));
  EXPECT_THAT(refused("fields.pt"), HasSubstr("single tensor"));
}

TEST_F(FineTune, StopsAndNamesWhatIsWrong) {
  RunContext context = contextOf(1);
  EXPECT_THROW((void)fineTune(**model_, {{.dataset = &source_, .positions = {0}, .labels = {4}}},
                              {}, context),
               std::invalid_argument);
  const auto bad = fineTune(**model_, {itemsOf(source_, 0, 200)}, {.epochs = 0}, context);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("Epochs is 0"));
  int reports = 0;
  context.on_progress = [&, control = context.control()](const Progress& progress) {
    if (progress.stage.starts_with("epoch") && ++reports == 3) {
      control->requestCancel();
    }
  };
  const auto cut = fineTune(**model_, {itemsOf(source_, 0, 200)}, {.batch = 32}, context);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(reports, 3);
}

TEST(ChosenItems, AreThoseOfTheirDatasets) {
  const ArrayDataset first = test::fourBlobs(8, 0.0F, 1, Role::kTrain);
  const ArrayDataset second = test::fourBlobs(8, 50.0F, 2, Role::kTrain);
  const ChosenItems items({{.dataset = &first, .positions = {5, 2}, .labels = {1, 0}},
                           {.dataset = &second, .positions = {2}, .labels = {3}}});
  ASSERT_EQ(items.size(), 3);
  EXPECT_EQ(std::vector(items.ids().begin(), items.ids().end()),
            (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(std::vector(items.labels().begin(), items.labels().end()),
            (std::vector<std::int64_t>{1, 0, 3}));
  EXPECT_EQ(items.itemName(0), first.itemName(5));
  const auto last = items.read(2);
  ASSERT_OK(last);
  EXPECT_GT(std::get<Array<float>>(*last).data()[0], 40.0F);
  EXPECT_THROW(ChosenItems({}), std::invalid_argument);
  EXPECT_THROW(ChosenItems({{.dataset = &first, .positions = {1}, .labels = {}}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace dubito
