// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/confusion.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

dubito::Run runOf(std::int64_t classes, std::vector<std::int64_t> labels,
                  std::vector<std::int64_t> predictions) {
  dubito::Run run;
  run.probs = Array<float>::zeros({static_cast<std::int64_t>(labels.size()), classes});
  run.ids = Array<std::int64_t>::fromVector(labels);
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.predictions = Array<std::int64_t>::fromVector(std::move(predictions));
  return run;
}

TEST(ConfusionMatrix, CountsRowsByTrueClassAndColumnsByPrediction) {
  const Array<std::int64_t> counts =
      confusionMatrix(runOf(3, {0, 0, 1, 2, -1, 2, 2}, {0, 1, 1, 0, 2, 2, 0}), RunContext());
  EXPECT_EQ(counts.shape(), (std::vector<std::int64_t>{3, 3}));
  const std::vector<std::int64_t> expected = {1, 1, 0, 0, 1, 0, 2, 0, 1};
  EXPECT_TRUE(std::ranges::equal(counts.values(), expected));
}

TEST(ConfusionMatrix, IsEmptyWhereThereIsNothingToCompare) {
  EXPECT_TRUE(confusionMatrix(runOf(3, {-1, -1}, {0, 1}), RunContext()).empty());
  EXPECT_TRUE(confusionMatrix(runOf(kMaxMatrixClasses + 1, {1}, {0}), RunContext()).empty());
  dubito::Run confidences = runOf(3, {0}, {0});
  confidences.probs.reset();
  EXPECT_TRUE(confusionMatrix(confidences, RunContext()).empty());
}

}  // namespace
}  // namespace dubito
