// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/methods/mc_dropout/recompute_draw.h"
#include "core/predict/predict.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

std::string sharedPath(const std::string& name) {
  return (*test::sharedDir() / "datasets" / name).string();
}

ModelPtr loadShared(const std::string& name, const std::string& metadata) {
  RunContext context;
  context.threads = 2;
  auto model =
      loadModel(sharedPath("models/" + name),
                {.metadata_path = (test::sourceDir() / "tests/data/metadata" / metadata).string(),
                 .output_key = {}},
                context);
  if (!model) {
    ADD_FAILURE() << model.error().message;
    return nullptr;
  }
  return *model;
}

DatasetPtr openShared(const std::string& spec) {
  RunContext context;
  auto dataset = openDataset(spec, context);
  if (!dataset) {
    ADD_FAILURE() << dataset.error().message;
    return nullptr;
  }
  return *dataset;
}

double accuracyOf(const Run& run) {
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    correct += run.predictions.data()[i] == run.labels.data()[i] ? 1 : 0;
  }
  return static_cast<double>(correct) / static_cast<double>(run.itemCount());
}

std::string mnistSlice(const std::string& items) {
  return "idx:" + sharedPath("mnist/t10k-images-idx3-ubyte.gz") + "," +
         sharedPath("mnist/t10k-labels-idx1-ubyte.gz") + "?items=" + items;
}

TEST(RealModels, VisionTransformerReadsDigitsOneAtATime) {
  DUBITO_NEEDS_SHARED();
  const ModelPtr model = loadShared("vit4mnist.ptl", "vit4mnist.json");
  const DatasetPtr dataset = openShared(mnistSlice("0:300"));
  ASSERT_TRUE(model && dataset);
  RunContext context;
  const auto run = predict(*model, *dataset, MapOptions{}, {.batch = 1}, context);
  ASSERT_OK(run);
  EXPECT_GE(accuracyOf(*run), 0.97);
  const auto together = predict(*model, *dataset, MapOptions{}, {.batch = 100}, context);
  ASSERT_TRUE(together);
  EXPECT_FALSE(together->meta.notes.empty()) << "the dependence on the batch is not mentioned";
  EXPECT_GT(test::largestDifference(std::get<Array<float>>(*run->probs).values(),
                                    std::get<Array<float>>(*together->probs).values()),
            1e-4);
}

TEST(RealModels, VisionTransformerDropsUnitsBeforeItsQuantisedHead) {
  DUBITO_NEEDS_SHARED();
  const ModelPtr model = loadShared("vit4mnist.ptl", "vit4mnist.json");
  const DatasetPtr dataset = openShared(mnistSlice("0:40"));
  ASSERT_TRUE(model && dataset);
  RunContext context;
  context.seed = 1;
  McDropoutOptions method;
  method.draws = 10;
  method.insert_rate = 0.3;
  const auto run = predict(*model, *dataset, method, {.batch = 1}, context);
  ASSERT_OK(run);
  EXPECT_EQ(run->meta.mask_hashes.size(), 10U);
  EXPECT_GE(accuracyOf(*run), 0.9);
  double information = 0.0;
  for (const double value : run->mutual_information->values()) {
    information += value;
  }
  EXPECT_GT(information, 1e-4);
  const auto draws = recomputeDraws(*model, *dataset, 17, method, context);
  ASSERT_OK(draws);
  for (std::int64_t t = 0; t < 10; ++t) {
    const auto kept = run->samples->row(t).subspan(170, 10);
    EXPECT_LT(test::largestDifference(draws->row(t), kept), 1e-6);
  }
}

TEST(RealModels, HandSignsAreReadFromPhotographs) {
  DUBITO_NEEDS_SHARED();
  const ModelPtr model = loadShared("asl.ptl", "asl.json");
  RunContext context;
  context.threads = 2;
  const auto dataset = openDataset("folder:" + sharedPath("photos/asl"), context);
  if (!DUBITO_READS_PHOTOGRAPHS) {
    GTEST_SKIP() << "this build has no OpenCV and reads no photographs";
  }
  ASSERT_TRUE(model && dataset) << dataset.error().message;
  ASSERT_EQ((*dataset)->size(), 26);
  const auto run = predict(*model, **dataset, MapOptions{}, {.batch = 8}, context);
  ASSERT_OK(run);
  int right = 0;
  for (std::int64_t i = 0; i < run->itemCount(); ++i) {
    // The folder is flat: the true sign is the first letter of the file's name.
    right += run->className(run->predictions.data()[i])[0] == (*dataset)->itemName(i)[0] ? 1 : 0;
  }
  EXPECT_EQ(right, 25);
}

}  // namespace
}  // namespace dubito
