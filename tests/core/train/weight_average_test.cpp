// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/train/weight_average_torch.h"

namespace dubito {
namespace {

constexpr std::size_t kWeights = 3;
using Weights = std::array<double, kWeights>;

const std::vector<Weights> kTimes = {
    {1.0, -2.0, 0.5}, {1.5, -2.5, 0.0}, {0.5, -1.0, 1.0}, {2.0, -3.5, 2.5}, {1.0, -3.0, -0.5}};

/// A matrix [2, 1] and a vector [1].
std::vector<at::Tensor> tensorsOf(const Weights& weights) {
  return {at::tensor({weights[0], weights[1]}, at::kDouble).view({2, 1}),
          at::tensor({weights[2]}, at::kDouble)};
}

Weights weightsOf(const std::vector<at::Tensor>& tensors) {
  return {tensors[0][0][0].item<double>(), tensors[0][1][0].item<double>(),
          tensors[1][0].item<double>()};
}

WeightAverage averageOf(std::int64_t rank) {
  WeightAverage average(rank);
  for (const Weights& weights : kTimes) {
    average.add(tensorsOf(weights));
  }
  return average;
}

Weights plainMean(std::size_t count) {
  Weights mean{};
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t i = 0; i < kWeights; ++i) {
      mean[i] += kTimes[t][i] / static_cast<double>(count);
    }
  }
  return mean;
}

/// Covariance of the samples (Maddox et al. 2019): half the diagonal of the population variance,
/// and half the sum of products of the last deviations from the mean at their time over K - 1.
std::array<Weights, kWeights> plainCovariance(std::size_t rank) {
  std::array<Weights, kWeights> covariance{};
  const Weights mean = plainMean(kTimes.size());
  const std::size_t columns = std::min(rank, kTimes.size());
  for (std::size_t i = 0; i < kWeights; ++i) {
    double mean_square = 0.0;
    for (const Weights& weights : kTimes) {
      mean_square += weights[i] * weights[i] / static_cast<double>(kTimes.size());
    }
    covariance[i][i] += 0.5 * (mean_square - mean[i] * mean[i]);
    for (std::size_t j = 0; j < kWeights; ++j) {
      for (std::size_t t = kTimes.size() - columns; t < kTimes.size(); ++t) {
        const Weights then = plainMean(t + 1);
        covariance[i][j] += 0.5 * (kTimes[t][i] - then[i]) * (kTimes[t][j] - then[j]) /
                            static_cast<double>(columns - 1);
      }
    }
  }
  return covariance;
}

TEST(WeightAverage, MeanIsThePlainMean) {
  const std::vector<at::Tensor> tensors = tensorsOf({});
  averageOf(0).writeMean(tensors);
  const Weights mean = weightsOf(tensors);
  const Weights expected = plainMean(kTimes.size());
  for (std::size_t i = 0; i < kWeights; ++i) {
    EXPECT_NEAR(mean[i], expected[i], 1e-15) << i;
  }
}

// Each tolerance is five standard errors of a moment of Gaussian samples.
TEST(WeightAverage, SamplesHaveTheMeanAndCovarianceOfSwag) {
  constexpr int kDraws = 20000;
  for (const std::size_t rank : {2, 3, 20}) {
    const WeightAverage average = averageOf(static_cast<std::int64_t>(rank));
    const Weights mean = plainMean(kTimes.size());
    const auto covariance = plainCovariance(rank);
    Weights sums{};
    std::array<Weights, kWeights> products{};
    const std::vector<at::Tensor> tensors = tensorsOf({});
    for (int draw = 0; draw < kDraws; ++draw) {
      average.writeSample(tensors, 7, draw);
      const Weights sample = weightsOf(tensors);
      for (std::size_t i = 0; i < kWeights; ++i) {
        sums[i] += (sample[i] - mean[i]) / kDraws;
        for (std::size_t j = 0; j < kWeights; ++j) {
          products[i][j] += (sample[i] - mean[i]) * (sample[j] - mean[j]) / kDraws;
        }
      }
    }
    for (std::size_t i = 0; i < kWeights; ++i) {
      EXPECT_NEAR(sums[i], 0.0, 5.0 * std::sqrt(covariance[i][i] / kDraws)) << rank << ", " << i;
      for (std::size_t j = 0; j < kWeights; ++j) {
        const double variance =
            covariance[i][i] * covariance[j][j] + covariance[i][j] * covariance[i][j];
        EXPECT_NEAR(products[i][j], covariance[i][j], 5.0 * std::sqrt(variance / kDraws))
            << rank << ", " << i << ", " << j;
      }
    }
  }
}

TEST(WeightAverage, SampleDependsOnSeedAndDrawAlone) {
  const auto sampleOf = [](std::uint64_t seed, std::int64_t draw) {
    const std::vector<at::Tensor> tensors = tensorsOf({});
    averageOf(5).writeSample(tensors, seed, draw);
    return weightsOf(tensors);
  };
  EXPECT_EQ(sampleOf(1, 2), sampleOf(1, 2));
  EXPECT_NE(sampleOf(1, 2), sampleOf(1, 3));
  EXPECT_NE(sampleOf(1, 2), sampleOf(2, 2));
}

TEST(WeightAverage, StateContinuesBitForBit) {
  const WeightAverage whole = averageOf(3);
  WeightAverage first(3);
  for (std::size_t t = 0; t < 4; ++t) {
    first.add(tensorsOf(kTimes[t]));
  }
  WeightAverage second(3);
  second.restore(first.state(), tensorsOf({}));
  second.add(tensorsOf(kTimes[4]));
  const std::vector<at::Tensor> expected = tensorsOf({});
  const std::vector<at::Tensor> found = tensorsOf({});
  whole.writeSample(expected, 1, 1);
  second.writeSample(found, 1, 1);
  EXPECT_EQ(weightsOf(found), weightsOf(expected));
  EXPECT_EQ(second.count(), 5);
}

TEST(WeightAverage, RefusesTheStateOfAnotherNetworkOrRank) {
  WeightAverage other(3);
  EXPECT_ANY_THROW(other.restore(averageOf(3).state(), {at::zeros({2}, at::kDouble)}));
  EXPECT_ANY_THROW(other.restore(averageOf(2).state(), tensorsOf({})));
  EXPECT_ANY_THROW(other.restore(c10::IValue(), tensorsOf({})));
  other.restore(WeightAverage(3).state(), tensorsOf({}));
  EXPECT_EQ(other.count(), 0);
}

}  // namespace
}  // namespace dubito
