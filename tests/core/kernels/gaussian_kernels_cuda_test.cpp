// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/kernels/cuda_library.h"
#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_normal_host_batch.h"
#include "core/kernels/logit_normal_mc.h"
#include "tests/core/kernels/cuda_test.h"
#include "tests/core/kernels/logit_gaussian_samples.h"
#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;
using test::randomDiagonal;
using test::randomFactored;
using test::randomFull;

class GaussianKernelsCuda : public test::CudaTest {
 protected:
  void SetUp() override {
    CudaTest::SetUp();
    gpu_.device = kGpu;
  }

  /// The same draws, in float32 on both sides: `steepest` bounds what moves a logit.
  void expectSameAverages(const LogitGaussians& gaussians, std::int64_t samples, double steepest) {
    const std::int64_t items = gaussians.mean.extent(0);
    std::vector<std::int64_t> ids(static_cast<std::size_t>(items));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ids[i] = static_cast<std::int64_t>(i) * 4294967301LL - 1;
    }
    const LogitNormalSummary expected = logitNormalMc(gaussians, ids, samples, 9, RunContext());
    const LogitNormalSummary actual = logitNormalMc(gaussians, ids, samples, 9, gpu_);
    const double error = 2e-6 * (1.0 + steepest);
    const double smallest =
        0x1p-125 * (1.0 + steepest) * static_cast<double>(gaussians.mean.extent(1));
    for (std::int64_t i = 0; i < expected.mean_probs.size(); ++i) {
      ASSERT_TRUE(
          closeTo(actual.mean_probs.data()[i], expected.mean_probs.data()[i], error, smallest));
    }
    for (std::int64_t i = 0; i < items; ++i) {
      ASSERT_TRUE(closeTo(actual.expected_entropy.data()[i], expected.expected_entropy.data()[i],
                          4 * error, smallest));
      ASSERT_TRUE(
          closeTo(actual.entropy.data()[i], expected.entropy.data()[i], 4 * error, smallest));
    }
  }

  RunContext gpu_;
};

TEST_F(GaussianKernelsCuda, AveragesEqualThoseOfTheProcessor) {
  for (const std::int64_t classes :
       {2, 3, 4, 5, 9, 10, 16, 17, 21, 25, 32, 33, 100, 130, 1000, 1024, 1025, 5000}) {
    for (const std::int64_t samples : {1, 2, 3, 64, 1001}) {
      SCOPED_TRACE(testing::Message() << classes << " classes, " << samples << " samples");
      const std::int64_t items = classes >= 1000 ? 2 : 9;
      expectSameAverages(randomDiagonal(items, classes, 3.0F, 2.0F, 1), samples, 8.0);
      if (classes <= 130) {
        expectSameAverages(randomFactored(items, classes, 50, true, 3.0F, 2), samples, 20.0);
        expectSameAverages(randomFactored(items, classes, 2, false, 3.0F, 3), samples, 20.0);
        expectSameAverages(randomFull(3, classes, 2, 3.0F, 4), samples, 20.0);
      }
    }
  }
  for (const std::int64_t classes : {2, 1000}) {
    expectSameAverages(randomDiagonal(1, classes, 3.0F, 2.0F, 6), 7, 8.0);
  }
  // So many draws that sums move on to double several times.
  for (const std::int64_t classes : {2, 10}) {
    expectSameAverages(randomDiagonal(2, classes, 3.0F, 2.0F, 6), 20'003, 8.0);
  }
  // More noise than shared memory holds.
  expectSameAverages(randomFactored(2, 1026, 5, true, 3.0F, 5), 70, 60.0);
  expectSameAverages(randomFactored(3, 3, 12'000, true, 3.0F, 5), 70, 60.0);
}

TEST_F(GaussianKernelsCuda, AveragesDoNotDependOnTheBatch) {
  const LogitGaussians all = randomDiagonal(40, 10, 3.0F, 2.0F, 6);
  const auto& variance = std::get<DiagonalCovariance>(all.covariance).variance;
  std::vector<std::int64_t> ids(40);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(i) + 5;
  }
  const LogitNormalSummary together = logitNormalMc(all, ids, 333, 1, gpu_);
  for (std::int64_t row = 0; row < 40; row += 13) {
    const LogitGaussians one{all.mean.slice(row, row + 1),
                             DiagonalCovariance{variance.slice(row, row + 1)}};
    const LogitNormalSummary alone =
        logitNormalMc(one, std::span(ids).subspan(static_cast<std::size_t>(row), 1), 333, 1, gpu_);
    EXPECT_TRUE(std::ranges::equal(alone.mean_probs.row(0), together.mean_probs.row(row)));
    EXPECT_EQ(alone.expected_entropy.data()[0], together.expected_entropy.data()[row]);
  }
}

TEST_F(GaussianKernelsCuda, ExtremesEqualThoseOfTheProcessor) {
  for (const float gap : {0.0F, 88.0F, 500.0F}) {
    for (const float variance : {0.0F, 1e-8F, 1.0F, 1e6F}) {
      for (const std::int64_t classes : {2, 10, 40}) {
        LogitGaussians gaussians = randomDiagonal(6, classes, 2.0F, variance, 7);
        for (std::int64_t row = 0; row < 6; ++row) {
          gaussians.mean.mutableRow(row)[static_cast<std::size_t>(row % classes)] += gap;
        }
        SCOPED_TRACE(testing::Message() << gap << " " << variance << " " << classes);
        expectSameAverages(gaussians, 50, gap + 6.0 * std::sqrt(variance));
        for (const BridgeVariant variant : {BridgeVariant::kCentred, BridgeVariant::kRaw}) {
          const Array<float> expected = laplaceBridge(gaussians, variant, RunContext());
          const Array<float> actual = laplaceBridge(gaussians, variant, gpu_);
          for (std::int64_t i = 0; i < expected.size(); ++i) {
            ASSERT_TRUE(closeTo(actual.data()[i], expected.data()[i], 1e-6, 1e-5));
          }
        }
      }
    }
  }
}

TEST_F(GaussianKernelsCuda, BridgesEqualThoseOfTheProcessor) {
  for (const std::int64_t classes :
       {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 32, 33, 100, 320, 321, 1000, 1025, 5000}) {
    for (const LogitGaussians& gaussians :
         {randomDiagonal(classes > 100 ? 5 : 301, classes, 3.0F, 1.0F, 8),
          randomDiagonal(1, classes, 3.0F, 1.0F, 8),
          randomFactored(classes > 100 ? 3 : 31, classes, 4, true, 3.0F, 8)}) {
      for (const BridgeVariant variant : {BridgeVariant::kCentred, BridgeVariant::kConditioned,
                                          BridgeVariant::kNormalised, BridgeVariant::kRaw}) {
        const Array<float> expected = laplaceBridge(gaussians, variant, RunContext());
        const Array<float> actual = laplaceBridge(gaussians, variant, gpu_);
        for (std::int64_t i = 0; i < expected.size(); ++i) {
          ASSERT_TRUE(closeTo(actual.data()[i], expected.data()[i], 1e-6, 1e-5)) << classes;
        }
      }
    }
  }
}

TEST_F(GaussianKernelsCuda, AcceptNoItems) {
  const LogitGaussians none{Array<float>::zeros({0, 4}),
                            DiagonalCovariance{Array<float>::zeros({0, 4})}};
  EXPECT_EQ(laplaceBridge(none, BridgeVariant::kCentred, gpu_).extent(1), 4);
  EXPECT_EQ(logitNormalMc(none, {}, 5, 0, gpu_).entropy.size(), 0);
}

// What the GPU reads, tested without one: z = mean + factor' diag(stretch) eps.
TEST(LogitNormalHostBatch, HoldsTheCovariances) {
  const LogitGaussians diagonal = randomDiagonal(3, 4, 1.0F, 1.0F, 9);
  const LogitNormalHostBatch of_diagonal(diagonal);
  EXPECT_EQ(of_diagonal.batch().factor, nullptr);
  for (std::int64_t i = 0; i < 12; ++i) {
    const float deviation = of_diagonal.batch().deviation[i];
    EXPECT_TRUE(closeTo(deviation * deviation,
                        std::get<DiagonalCovariance>(diagonal.covariance).variance.data()[i],
                        1e-6));
  }
  const LogitGaussians factored = randomFactored(3, 4, 6, true, 1.0F, 10);
  const LogitGaussians full = randomFull(3, 4, 2, 1.0F, 11);
  for (const LogitGaussians* const gaussians : {&factored, &full}) {
    const LogitNormalHostBatch host(*gaussians);
    const LogitNormalBatch& batch = host.batch();
    for (std::int64_t row = 0; row < 3; ++row) {
      const float* const factor =
          batch.factor + (batch.factor_per_item ? row * batch.noise * batch.classes : 0);
      for (std::int64_t k = 0; k < 4; ++k) {
        for (std::int64_t l = 0; l < 4; ++l) {
          double sum = 0.0;
          double expected = 0.0;
          for (std::int64_t r = 0; r < batch.noise; ++r) {
            const double stretch = batch.stretch[row * batch.noise + r];
            sum += stretch * stretch * double{factor[r * 4 + k]} * double{factor[r * 4 + l]};
          }
          if (const auto* const whole = std::get_if<FullCovariance>(&gaussians->covariance)) {
            expected = whole->covariance.row(row)[static_cast<std::size_t>(k * 4 + l)];
          } else {
            const auto& parts = std::get<FactoredCovariance>(gaussians->covariance);
            for (std::int64_t r = 0; r < 6; ++r) {
              expected += double{parts.scale.data()[row * 6 + r]} *
                          double{parts.factor.data()[k * 6 + r]} *
                          double{parts.factor.data()[l * 6 + r]};
            }
          }
          EXPECT_NEAR(sum, expected, 1e-5);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dubito
