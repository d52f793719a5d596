// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/decisions/vector_scaling.h"
#include "core/measures/measures.h"
#include "core/methods/method_data.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::ListDataset;
using test::loadFixture;
using test::madeImages;

std::shared_ptr<ListDataset> images(std::int64_t count, std::int64_t first_id,
                                    const std::string& name) {
  ListDataset made = madeImages(count, 28);
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < count; ++i) {
    ids.push_back(first_id + i);
    labels.push_back(i % 10);  // without an item of each class there is nothing to fit
  }
  auto dataset = std::make_shared<ListDataset>(made.samples(), ids, labels);
  dataset->info().name = name;
  dataset->info().spec = "folder:" + name;
  return dataset;
}

struct VectorScalingMethod : ::testing::Test {
  ModelPtr model = loadFixture("scripted.pt");
  std::shared_ptr<ListDataset> calibration = images(60, 0, "calibration");
  std::shared_ptr<ListDataset> evaluated = images(20, 1000, "evaluated");
  RunContext context;

  Expected<MethodOptions> ready() {
    // These images repeat each other: only the way is tested here.
    return prepareMethod(
        *model, VectorScalingOptions{},
        {.calibration = calibration, .evaluated = {evaluated}, .allow_same_split = true},
        {.batch = 16}, context);
  }
};

TEST_F(VectorScalingMethod, ScalesAndShiftsTheLogitsByWhatWasFitted) {
  const auto method = ready();
  ASSERT_OK(method);
  const auto scaled = predict(*model, *evaluated, *method, {.batch = 16}, context);
  const auto plain = predict(*model, *evaluated, MapOptions{}, {.batch = 16}, context);
  ASSERT_TRUE(scaled && plain);
  EXPECT_EQ(scaled->meta.method, "vector-scaling");
  const json fit = json::parse(scaled->meta.method_options).at("fitted");
  const auto weight = fit.at("weight").get<std::vector<double>>();
  const auto bias = fit.at("bias").get<std::vector<double>>();
  EXPECT_LE(fit.at("nll_after").get<double>(), fit.at("nll_before").get<double>());
  EXPECT_EQ(fit.at("n"), 60);
  EXPECT_THAT(toText(scaled->meta.notes.at(0)), HasSubstr("Vector scaling, fitted on 60 items"));

  const auto run = predict(*model, *calibration, MapOptions{}, {.batch = 16}, context);
  const auto fitted = fitVectorScaling(*logitsOfRun(*run, "run"), context);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(weight, fitted->weight);
  EXPECT_EQ(bias, fitted->bias);
  for (std::int64_t i = 0; i < plain->itemCount(); ++i) {
    std::vector<double> logits;
    for (std::size_t k = 0; k < weight.size(); ++k) {
      logits.push_back(weight[k] * double{std::get<Array<float>>(*plain->logits).row(i)[k]} +
                       bias[k]);
    }
    const std::vector<double> expected = softmax(std::span<const double>(logits));
    for (std::size_t k = 0; k < weight.size(); ++k) {
      EXPECT_NEAR(scaled->prob(i, static_cast<std::int64_t>(k)), expected[k], 1e-6);
    }
  }
}

TEST_F(VectorScalingMethod, NeedsACalibrationSet) {
  const auto none = prepareMethod(*model, VectorScalingOptions{}, {}, {}, context);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "vector scaling is fitted on a calibration set; give one");
  EXPECT_THAT(none.error().remedy.settings, testing::ElementsAre(setting("calibration")));
  const auto unfitted = predict(*model, *evaluated, VectorScalingOptions{}, {}, context);
  ASSERT_FALSE(unfitted);
  EXPECT_EQ(unfitted.error().message, "the scaling is missing; give a calibration set");
  EXPECT_THAT(unfitted.error().remedy.settings, testing::ElementsAre(setting("calibration")));
}

}  // namespace
}  // namespace dubito
