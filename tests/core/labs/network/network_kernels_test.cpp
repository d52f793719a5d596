// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/labs/network/network_pass.h"
#include "core/labs/network/portable_math.h"
#include "core/labs/random/keyed_random.h"
#include "tests/support/close_to.h"

#ifdef DUBITO_HAS_HIGHWAY
#include <hwy/targets.h>
#endif

namespace dubito {
namespace {

TEST(PortableMath, TanhAgreesWithTheLibrary) {
  double worst = 0.0;
  for (int i = -400000; i <= 400000; ++i) {
    const double x = std::copysign(std::pow(10.0, std::abs(i) / 400000.0 * 20.0 - 18.0), i);
    const double expected = std::tanh(x);
    worst = std::max(worst, std::abs(portableTanh(x) - expected) / std::abs(expected));
  }
  for (int i = -400000; i <= 400000; ++i) {
    const double x = 25.0 * i / 400000.0 + 1e-9;
    const double expected = std::tanh(x);
    worst = std::max(worst, std::abs(portableTanh(x) - expected) / std::abs(expected));
  }
  EXPECT_LT(worst, 1e-15);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(portableTanh(kInfinity), 1.0);
  EXPECT_EQ(portableTanh(-kInfinity), -1.0);
  EXPECT_EQ(portableTanh(1e300), 1.0);
  EXPECT_EQ(portableTanh(-800.0), -1.0);
  EXPECT_EQ(portableTanh(5e-324), 5e-324);
  EXPECT_EQ(portableTanh(-1e-300), -1e-300);
  EXPECT_FALSE(std::signbit(portableTanh(0.0)));
  EXPECT_TRUE(std::signbit(portableTanh(-0.0)));
  EXPECT_TRUE(std::isnan(portableTanh(std::nan(""))));
}

TEST(PortableMath, ExpAgreesWithTheLibrary) {
  double worst = 0.0;
  for (int i = -700000; i <= 700000; ++i) {
    const double x = i / 1000.0 + 1e-7;
    worst = std::max(worst, std::abs(portableExp(x) / std::exp(x) - 1.0));
  }
  EXPECT_LT(worst, 1e-15);
  EXPECT_EQ(portableExp(0.0), 1.0);
  EXPECT_EQ(portableExp(-1e300), 0.0);
  EXPECT_EQ(portableExp(709.5), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(portableExp(std::nan(""))));
}

#ifdef DUBITO_HAS_HIGHWAY

/// While it lives, kernels are chosen from the given instruction sets.
class OnlyInstructionSets {
 public:
  explicit OnlyInstructionSets(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().DeInit();
  }
  ~OnlyInstructionSets() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
  OnlyInstructionSets(const OnlyInstructionSets&) = delete;
  OnlyInstructionSets& operator=(const OnlyInstructionSets&) = delete;
};

using Kernels = const NetworkKernels& (*)();

/// Results of every kernel on random numbers; sizes use all their remainders.
std::vector<double> resultsOf(const NetworkKernels& kernels) {
  struct alignas(64) Numbers {
    double values[11 * kTileItems];
  };
  struct alignas(64) Sums {
    double values[7 * 11 * kItemLanes];
  };
  std::vector<double> results;
  Numbers left;
  Numbers right;
  Numbers activated;
  Sums sums;
  Sums row_sums;
  KeyedRandom(3, LabSite::kInitialWeights).normals(3, activated.values);
  std::vector<double> matrix(7 * 11);
  KeyedRandom(3, LabSite::kInitialWeights).normals(2, matrix);
  for (const std::int64_t items : {8, 16, 24, 64}) {
    for (const ProductFinish finish :
         {ProductFinish::kNone, ProductFinish::kTanh, ProductFinish::kRelu,
          ProductFinish::kTanhSlope, ProductFinish::kReluSlope}) {
      KeyedRandom(3, LabSite::kInitialWeights).normals(0, left.values);
      KeyedRandom(3, LabSite::kInitialWeights).normals(1, right.values);
      right.values[0] = std::nan("");
      right.values[1] = 1e-310;
      right.values[2] = -0.0;
      right.values[3] = std::numeric_limits<double>::infinity();
      std::fill(std::begin(sums.values), std::end(sums.values), 0.25);
      std::fill(std::begin(row_sums.values), std::end(row_sums.values), 0.25);
      kernels.outer_sum({left.values, right.values, 7, 11, items, sums.values, row_sums.values});
      results.insert(results.end(), std::begin(sums.values), std::end(sums.values));
      results.insert(results.end(), std::begin(row_sums.values), std::end(row_sums.values));
      ProductTask task{matrix.data(), 11,           1,           7,     11,
                       matrix.data(), right.values, left.values, items, finish};
      task.activated = activated.values;
      kernels.product(task);
      results.insert(results.end(), std::begin(left.values), std::end(left.values));
    }
  }
  return results;
}

void expectSameBits(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    // The payload and sign of NaN are no promise.
    ASSERT_TRUE((std::isnan(actual[i]) && std::isnan(expected[i])) ||
                std::bit_cast<std::uint64_t>(actual[i]) ==
                    std::bit_cast<std::uint64_t>(expected[i]))
        << "number " << i << ": " << actual[i] << ", expected " << expected[i];
  }
}

TEST(NetworkKernels, GiveTheSameBitsOnEveryInstructionSet) {
  const std::vector<double> expected = resultsOf(plainNetworkKernels());
  int seen = 0;
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    const OnlyInstructionSets only(target);
    SCOPED_TRACE(hwy::TargetName(target));
    expectSameBits(resultsOf(networkKernels()), expected);
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

TEST(NetworkKernels, GiveTheSameGradientOnEveryInstructionSet) {
  const NetworkShape shape{2, {13, 6}, 3, Activation::kTanh};
  const std::vector<double> parameters = initialParameters(shape, 5, 0);
  std::vector<double> inputs(2 * 101);
  std::vector<double> output_gradient(3 * 101);
  KeyedRandom(3, LabSite::kDataInputs).normals(0, inputs);
  KeyedRandom(3, LabSite::kDataInputs).normals(1, output_gradient);
  std::vector<double> expected(parameters.size());
  networkGradient(shape, parameters, inputs, output_gradient, expected);
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const OnlyInstructionSets only(left & -left);
    std::vector<double> gradient(parameters.size());
    networkGradient(shape, parameters, inputs, output_gradient, gradient);
    expectSameBits(gradient, expected);
  }
}

#endif

}  // namespace
}  // namespace dubito
