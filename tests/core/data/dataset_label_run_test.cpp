// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_label_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/dataset_view.h"
#include "core/io/run_check.h"
#include "core/io/run_needs.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

DatasetPtr opened(const std::string& spec) {
  RunContext context;
  const auto dataset = openDataset(spec, context);
  EXPECT_OK(dataset);
  return dataset.value_or(nullptr);
}

TEST(DatasetLabelRun, SuggestsTheGivenLabelsAndKnowsNoConfidence) {
  const DatasetPtr dataset = opened("synthetic:moons?n=20&seed=1");
  const auto run = datasetLabelRun(*dataset);
  ASSERT_OK(run);
  ASSERT_EQ(run->itemCount(), 20);
  for (std::int64_t i = 0; i < 20; ++i) {
    const auto row = static_cast<std::size_t>(i);
    EXPECT_EQ(run->ids.data()[i], dataset->ids()[row]);
    EXPECT_EQ(run->labels.data()[i], dataset->labels()[row]);
    EXPECT_EQ(run->predictions.data()[i], dataset->labels()[row]);
    EXPECT_TRUE(std::isnan(run->confidence.data()[i]));
  }
  EXPECT_FALSE(run->probs);
  EXPECT_EQ(run->meta.method, kLabelsMethod);
  EXPECT_EQ(run->meta.class_names, (std::vector<std::string>{"0", "1"}));  // it has no names
  EXPECT_EQ(run->meta.dataset_spec, dataset->info().spec);
  RunContext context;
  EXPECT_EQ(shapeConflict(*run), std::nullopt);
  EXPECT_OK(checkRunContents(*run, "labels", context));
}

TEST(DatasetLabelRun, RefusesImagesWithoutLabels) {
  const DatasetPtr unlabelled = withRole(opened("synthetic:moons?n=20&seed=1"), Role::kOod);
  const auto run = datasetLabelRun(*unlabelled);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(run.error().message, HasSubstr("have no labels; open the labels"));
}

}  // namespace
}  // namespace dubito
