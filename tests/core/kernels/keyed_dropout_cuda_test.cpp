// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>

#include "core/kernels/cuda_library.h"
#include "core/kernels/torch/keyed_dropout_torch.h"
#include "tests/core/kernels/cuda_test.h"
#include "tests/core/kernels/keyed_dropout_shapes.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

// Before any other test of this program asks torch for CUDA.
class CudaFirst : public testing::Environment {
 public:
  void SetUp() override { loaded = loadCudaLibrary().has_value(); }
  bool loaded = false;
};
[[maybe_unused]] const testing::Environment* const kCudaFirst =
    testing::AddGlobalTestEnvironment(new CudaFirst);

class KeyedDropoutCuda : public test::CudaTest {};

TEST_F(KeyedDropoutCuda, EqualsTheProcessor) {
  const at::Device gpu(at::kCUDA, 0);
  const at::Tensor items = at::arange(test::kKeyedDropoutItems, at::kLong) * 4294967301LL - 1;
  const at::Tensor draws = at::arange(test::kKeyedDropoutItems, at::kLong) % 5;
  for (const auto& [shape, feature] : test::keyedDropoutShapes()) {
    for (const auto& [rate, alpha] : test::kKeyedDropoutRates) {
      const KeyedDropoutForm form{.feature = feature, .alpha = alpha};
      const at::Tensor x = at::randn(shape);
      const MaskHashRecorder on_cpu;
      const at::Tensor expected = keyedDropout(x, rate, 77, items, draws, 3, form);
      const auto expected_hashes = on_cpu.entries();
      const MaskHashRecorder on_gpu;
      const at::Tensor y = keyedDropout(x.to(gpu), rate, 77, items.to(gpu), draws.to(gpu), 3, form);
      const auto hashes = on_gpu.entries();
      EXPECT_TRUE(y.cpu().equal(expected)) << x.sizes() << " rate " << rate;
      ASSERT_EQ(hashes.size(), expected_hashes.size());
      for (std::size_t i = 0; i < hashes.size(); ++i) {
        EXPECT_EQ(hashes[i].draw, expected_hashes[i].draw);
        EXPECT_EQ(hashes[i].hash, expected_hashes[i].hash) << x.sizes() << " rate " << rate;
      }
    }
  }
}

TEST_F(KeyedDropoutCuda, RatesOfUnitsEqualTheProcessor) {
  const at::Device gpu(at::kCUDA, 0);
  const at::Tensor items = at::arange(test::kKeyedDropoutItems, at::kLong) * 4294967301LL - 1;
  const at::Tensor draws = at::arange(test::kKeyedDropoutItems, at::kLong) % 5;
  for (const auto& [shape, feature] : test::keyedDropoutShapes()) {
    if (shape.size() < 2) {
      continue;
    }
    const at::Tensor x = at::randn(shape);
    const at::Tensor rates = at::rand({feature ? shape[1] : shape.back()}) * 0.9;
    const KeyedDropoutForm form{.feature = feature};
    const at::Tensor expected = keyedUnitDropout(x, rates, 77, items, draws, 3, form);
    const at::Tensor y =
        keyedUnitDropout(x.to(gpu), rates.to(gpu), 77, items.to(gpu), draws.to(gpu), 3, form);
    EXPECT_TRUE(y.cpu().equal(expected)) << x.sizes();
  }
}

TEST_F(KeyedDropoutCuda, EmptyBatchStaysEmpty) {
  const at::Tensor none = at::empty({0}, at::kLong);
  const at::Tensor x = at::ones({0, 7}, at::Device(at::kCUDA, 0));
  EXPECT_EQ(keyedDropout(x, 0.5, 5, none, none, 0).size(1), 7);
}

TEST(CudaLibrary, TheProcessorNeedsNoPreparation) {
  EXPECT_TRUE(prepareCuda(Device{}).has_value());
}

// If CUDA cannot be used, the reason of the device query is what the user reads.
TEST(CudaLibrary, SaysWhyItCannotBeUsed) {
  const std::string reason = queryDevices().cuda_unavailable_reason;
  const Status loaded = loadCudaLibrary();
  if (reason.empty()) {
    EXPECT_OK(loaded);
    EXPECT_FALSE(prepareCuda({Device::Kind::kCuda, 4096}).has_value());
    return;
  }
  ASSERT_FALSE(loaded.has_value());
  EXPECT_THAT(loaded.error().message, HasSubstr(reason));
}

}  // namespace
}  // namespace dubito
