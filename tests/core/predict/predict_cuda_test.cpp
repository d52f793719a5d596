// SPDX-License-Identifier: GPL-3.0-or-later
// The demo network on a GPU: batches copied ahead must give what the CPU gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/methods/method_data.h"
#include "core/models/model.h"
#include "core/network/device_memory.h"
#include "core/network/neighbours/feature_index.h"
#include "core/predict/predict.h"
#include "core/predict/work_estimate.h"
#include "tests/core/kernels/cuda_test.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::largestDifference;

// Sums of products in float32, whose order differs between devices and between batch sizes.
constexpr double kSameProbabilities = 1e-5;
// Posteriors are sums of such numbers, and their inverses.
constexpr double kSamePosterior = 1e-4;
// Several batches, the last of them smaller.
constexpr std::int64_t kBatch = 64;

constexpr Device kCpu{};

const Array<float>& probsOf(const Run& run) {
  return std::get<Array<float>>(*run.probs);
}

using Hashes = std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t>;
Hashes hashesOf(const Run& run) {
  Hashes hashes;
  for (const MaskHash& entry : run.meta.mask_hashes) {
    hashes[{entry.site, entry.draw}] = entry.hash;
  }
  return hashes;
}

// Test has a member named Run.
class PredictCuda : public test::CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    RunContext context;
    const std::string folder = (test::sourceDir() / "datasets/samples").string();
    auto model = loadModel(folder + "/lenet-mnist.pt", {}, context);
    ASSERT_OK(model);
    model_ = *std::move(model);
    const std::string files = "idx:" + folder + "/mnist-2000-images-idx3-ubyte.gz," + folder +
                              "/mnist-2000-labels-idx1-ubyte.gz";
    auto items = openDataset(files + "?items=0:300", context);
    ASSERT_OK(items);
    items_ = *std::move(items);
    auto fitted = openDataset(files + "?items=1000:1300", context);
    ASSERT_OK(fitted);
    data_.fit = *std::move(fitted);
  }

  /// With several threads, so that batches are copied ahead.
  static RunContext on(const Device& device) {
    RunContext context;
    context.threads = 4;
    context.seed = 5;
    context.device = device;
    return context;
  }

  Expected<dubito::Run> run(const MethodOptions& method, const Device& device,
                            std::int64_t batch = kBatch) const {
    RunContext context = on(device);
    return predict(*model_, *items_, method, {.batch = batch}, context);
  }

  [[nodiscard]] Expected<MethodOptions> fitted(const LaplaceOptions& method,
                                               const Device& device) const {
    RunContext context = on(device);
    return prepareMethod(*model_, method, data_, {.batch = kBatch}, context);
  }

  static void expectSame(const dubito::Run& a, const dubito::Run& b, double tolerance) {
    ASSERT_EQ(probsOf(a).shape(), probsOf(b).shape());
    EXPECT_TRUE(std::ranges::equal(a.ids.values(), b.ids.values()));
    EXPECT_EQ(a.meta.dataset_hash, b.meta.dataset_hash);
    EXPECT_LT(largestDifference(probsOf(a).values(), probsOf(b).values()), tolerance);
  }

  ModelPtr model_;
  DatasetPtr items_;
  MethodData data_;
};

TEST_F(PredictCuda, MapEqualsTheCpuForAnyBatch) {
  const auto on_cpu = run(MapOptions(), kCpu);
  ASSERT_OK(on_cpu);
  for (const std::int64_t batch : {kBatch, std::int64_t{37}, std::int64_t{300}}) {
    const auto on_gpu = run(MapOptions(), kGpu, batch);
    ASSERT_OK(on_gpu);
    expectSame(*on_gpu, *on_cpu, kSameProbabilities);
  }
}

TEST_F(PredictCuda, TheSameRunTwiceIsTheSame) {
  const auto first = run(MapOptions(), kGpu);
  const auto second = run(MapOptions(), kGpu);
  ASSERT_OK(first);
  ASSERT_OK(second);
  expectSame(*first, *second, kSameProbabilities);
}

TEST_F(PredictCuda, McDropoutDropsWhatTheCpuDrops) {
  const McDropoutOptions method{.draws = 10};
  const auto on_cpu = run(method, kCpu);
  ASSERT_OK(on_cpu);
  for (const std::int64_t batch : {kBatch, std::int64_t{37}}) {
    const auto on_gpu = run(method, kGpu, batch);
    ASSERT_OK(on_gpu);
    EXPECT_FALSE(hashesOf(*on_gpu).empty());
    EXPECT_EQ(hashesOf(*on_gpu), hashesOf(*on_cpu));
    EXPECT_EQ(on_gpu->meta.notes, on_cpu->meta.notes);
    expectSame(*on_gpu, *on_cpu, kSameProbabilities);
    ASSERT_EQ(on_gpu->samples->shape(), on_cpu->samples->shape());
    EXPECT_LT(largestDifference(on_gpu->samples->values(), on_cpu->samples->values()),
              kSameProbabilities);
  }
}

TEST_F(PredictCuda, OneDrawOfMcDropoutEqualsTheCpu) {
  const McDropoutOptions method{.draws = 1};
  const auto on_cpu = run(method, kCpu);
  const auto on_gpu = run(method, kGpu);
  ASSERT_OK(on_cpu);
  ASSERT_OK(on_gpu);
  EXPECT_EQ(hashesOf(*on_gpu), hashesOf(*on_cpu));
  expectSame(*on_gpu, *on_cpu, kSameProbabilities);
}

TEST_F(PredictCuda, LaplaceOfTheLastLayerEqualsTheCpu) {
  const auto of_cpu = fitted(LaplaceOptions(), kCpu);
  const auto of_gpu = fitted(LaplaceOptions(), kGpu);
  ASSERT_OK(of_cpu);
  ASSERT_OK(of_gpu);
  const auto on_cpu = run(*of_cpu, kCpu);
  ASSERT_OK(on_cpu);
  for (const std::int64_t batch : {kBatch, std::int64_t{37}}) {
    const auto on_gpu = run(*of_gpu, kGpu, batch);
    ASSERT_OK(on_gpu);
    expectSame(*on_gpu, *on_cpu, kSamePosterior);
  }
}

TEST_F(PredictCuda, LaplaceOfAllLayersEqualsTheCpu) {
  LaplaceOptions method;
  method.layers = "all";
  method.tau = 10.0;
  const auto of_cpu = fitted(method, kCpu);
  const auto of_gpu = fitted(method, kGpu);
  ASSERT_OK(of_cpu);
  ASSERT_OK(of_gpu);
  const auto on_cpu = run(*of_cpu, kCpu);
  const auto on_gpu = run(*of_gpu, kGpu);
  ASSERT_OK(on_cpu);
  ASSERT_OK(on_gpu);
  expectSame(*on_gpu, *on_cpu, kSamePosterior);
}

TEST_F(PredictCuda, DrawnWeightsEqualTheCpu) {
  LaplaceOptions method;
  method.layers = "all";
  method.tau = 100.0;
  method.predictive = "sampled";
  method.weight_draws = 4;
  // One posterior: that of another device has other axes where curvatures are equal.
  const auto of_cpu = fitted(method, kCpu);
  ASSERT_OK(of_cpu);
  const auto on_cpu = run(*of_cpu, kCpu);
  const auto on_gpu = run(*of_cpu, kGpu);
  ASSERT_OK(on_cpu);
  ASSERT_OK(on_gpu);
  expectSame(*on_gpu, *on_cpu, kSamePosterior);
}

TEST_F(PredictCuda, FeaturesEqualThoseOfTheCpu) {
  RunContext cpu = on(kCpu);
  RunContext gpu = on(kGpu);
  const auto on_cpu = FeatureIndex::of(model_, items_, {.batch = kBatch}, cpu);
  const auto on_gpu = FeatureIndex::of(model_, items_, {.batch = kBatch}, gpu);
  ASSERT_OK(on_cpu);
  ASSERT_OK(on_gpu);
  EXPECT_EQ((*on_gpu)->table().ids, (*on_cpu)->table().ids);
  EXPECT_LT(
      largestDifference((*on_gpu)->table().features.values(), (*on_cpu)->table().features.values()),
      1e-4);
}

TEST_F(PredictCuda, ACancelledRunLeavesNothingBehind) {
  RunContext context = on(kGpu);
  context.on_progress = [&context](const Progress&) { context.control()->requestCancel(); };
  const auto stopped =
      predict(*model_, *items_, McDropoutOptions{.draws = 4}, {.batch = 8}, context);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  const auto on_cpu = run(MapOptions(), kCpu);
  const auto on_gpu = run(MapOptions(), kGpu);
  ASSERT_OK(on_cpu);
  ASSERT_OK(on_gpu);
  expectSame(*on_gpu, *on_cpu, kSameProbabilities);
}

// Without what the libraries keep: a workspace for each thread that computes products.
TEST_F(PredictCuda, TheEstimateOfItsMemoryIsNearThePeak) {
  constexpr std::int64_t kWorkspace = std::int64_t{48} << 20;
  McDropoutOptions dropout;
  dropout.draws = 20;
  for (const MethodOptions& method : {MethodOptions(MapOptions()), MethodOptions(dropout)}) {
    RunContext context = on(kGpu);
    ASSERT_OK(predict(*model_, *items_, method, {.batch = kBatch}, context));
    const auto estimate = estimateWork(*model_, {items_}, method, {}, {.batch = kBatch}, context);
    ASSERT_OK(estimate);
    resetPeakDeviceBytes(kGpu);
    const std::int64_t before = peakDeviceBytes(kGpu);
    ASSERT_OK(predict(*model_, *items_, method, {.batch = kBatch}, context));
    const std::int64_t peak = peakDeviceBytes(kGpu) - before;
    EXPECT_GT(peak, estimate->peak_device_bytes / 3) << methodName(method);
    EXPECT_LT(peak, estimate->peak_device_bytes + kWorkspace) << methodName(method);
  }
}

TEST(PeakDeviceBytes, AreZeroOnTheCpu) {
  resetPeakDeviceBytes(kCpu);
  EXPECT_EQ(peakDeviceBytes(kCpu), 0);
}

}  // namespace
}  // namespace dubito
