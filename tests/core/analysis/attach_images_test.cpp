// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attach_images.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/data/sources/dataset_kinds.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

DatasetPtr points(const std::string& items) {
  RunContext context;
  const auto dataset = openDataset("synthetic:moons?n=20&seed=1&items=" + items, context);
  EXPECT_OK(dataset);
  return dataset.value_or(nullptr);
}

/// Predictions of a file: rows with these ids and labels.
std::shared_ptr<const dubito::Run> predictions(std::vector<std::int64_t> ids,
                                               std::vector<std::int64_t> labels) {
  auto run = std::make_shared<dubito::Run>();
  std::vector<float> probs;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    probs.insert(probs.end(), {0.75F, 0.25F});
  }
  const auto n = static_cast<std::int64_t>(ids.size());
  run->probs = Array<float>::fromVector({n, 2}, std::move(probs));
  run->predictions = Array<std::int64_t>::zeros({n});
  run->confidence = Array<double>::fromVector(std::vector<double>(ids.size(), 0.75));
  run->labels = Array<std::int64_t>::fromVector(std::move(labels));
  run->ids = Array<std::int64_t>::fromVector(std::move(ids));
  return run;
}

TEST(AttachImages, FindsThemByIdWhateverTheirOrder) {
  const DatasetPtr dataset = points("5:10");
  const auto run = predictions({9, 5, 7}, {-1, -1, -1});
  const auto attached = attachImages(run, "file", *dataset);
  ASSERT_OK(attached);
  EXPECT_EQ(attached->how, "by id");
  EXPECT_TRUE(std::ranges::equal(attached->run->ids.values(), run->ids.values()));
  EXPECT_EQ(attached->run->meta.dataset_spec, dataset->info().spec);
  EXPECT_THAT(toText(attached->run->meta.notes.back()), HasSubstr("by their ids"));
}

TEST(AttachImages, TakesTheOrderIfTheIdsAreOthers) {
  const DatasetPtr dataset = points("5:8");
  const auto attached = attachImages(predictions({0, 1, 2}, {-1, -1, -1}), "file", *dataset);
  ASSERT_OK(attached);
  EXPECT_EQ(attached->how, "in order");
  EXPECT_TRUE(std::ranges::equal(attached->run->ids.values(), dataset->ids()));
  EXPECT_THAT(toText(attached->run->meta.notes.back()), HasSubstr("in their order: row 1 is '#5'"));
}

TEST(AttachImages, RefusesAnotherNumberOfImages) {
  const auto refused = attachImages(predictions({0, 1, 2}, {-1, -1, -1}), "file", *points("5:9"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("file: has 3 rows, but"));
  EXPECT_THAT(refused.error().message, HasSubstr("has 4 images"));
}

TEST(AttachImages, RefusesContradictingLabels) {
  const DatasetPtr dataset = points("5:8");
  std::vector<std::int64_t> labels(dataset->labels().begin(), dataset->labels().end());
  ASSERT_OK(attachImages(predictions({0, 1, 2}, labels), "file", *dataset));
  labels[1] = 1 - labels[1];
  const auto refused = attachImages(predictions({0, 1, 2}, labels), "file", *dataset);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("row 2 is labelled"));
  EXPECT_THAT(refused.error().message, HasSubstr("'#6'"));
}

}  // namespace
}  // namespace dubito
