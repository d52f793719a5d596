// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/entropy.h"

#include <gtest/gtest.h>
#ifdef DUBITO_HAS_HIGHWAY
#include <hwy/targets.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "tests/support/close_to.h"

namespace dubito {
namespace {

using test::closeTo;

/// The definition, from the smallest term to the largest in extended precision.
template <class T>
double plainEntropy(const std::vector<T>& probs) {
  std::vector<long double> terms;
  for (const T value : probs) {
    const auto p = static_cast<long double>(value);
    terms.push_back(p > 0 ? -p * std::log(p) : 0.0L);
  }
  std::ranges::sort(terms, {}, [](long double term) { return std::abs(term); });
  return static_cast<double>(std::accumulate(terms.begin(), terms.end(), 0.0L));
}

/// Rows [rows, classes]; logits of standard deviation `spread`, up to probabilities that vanish.
template <class T>
std::vector<T> someRows(std::size_t rows, std::size_t classes, double spread, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0.0, spread);
  std::vector<T> probs;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> powers(classes);
    std::ranges::generate(powers, [&] { return normal(random); });
    const double top = *std::ranges::max_element(powers);
    std::ranges::transform(powers, powers.begin(), [&](double x) { return std::exp(x - top); });
    const double sum = std::accumulate(powers.begin(), powers.end(), 0.0);
    std::ranges::transform(powers, std::back_inserter(probs),
                           [&](double power) { return static_cast<T>(power / sum); });
  }
  return probs;
}

struct Shape {
  std::size_t classes;
  double spread;
};

class Entropy : public testing::TestWithParam<Shape> {
 protected:
  static constexpr std::size_t kRows = 70;

  template <class T>
  static void expectTheDefinition() {
    const auto [classes, spread] = GetParam();
    const std::vector<T> probs = someRows<T>(kRows, classes, spread, 5);
    std::vector<double> entropies(kRows);
    EntropyCalculator().ofRows(probs.data(), static_cast<std::int64_t>(kRows),
                               static_cast<std::int64_t>(classes), entropies.data());
    for (std::size_t i = 0; i < kRows; ++i) {
      const std::vector<T> row(probs.begin() + static_cast<std::ptrdiff_t>(i * classes),
                               probs.begin() + static_cast<std::ptrdiff_t>((i + 1) * classes));
      const double bound = std::log(static_cast<double>(classes));
      EXPECT_TRUE(closeTo(entropies[i], std::min(plainEntropy(row), bound), 4e-15, 0.0)) << i;
      EXPECT_EQ(entropyOf(std::span<const T>(row)), entropies[i]) << i;
    }
  }
};

TEST_P(Entropy, IsThatOfTheDefinition) {
  expectTheDefinition<double>();
  expectTheDefinition<float>();
}

TEST_P(Entropy, IsTheSameForAllOrders) {
  const auto [classes, spread] = GetParam();
  std::mt19937 random(3);
  for (unsigned trial = 0; trial < 40; ++trial) {
    std::vector<double> row = someRows<double>(1, classes, spread, trial);
    const double entropy = entropyOf(row);
    std::shuffle(row.begin(), row.end(), random);
    EXPECT_EQ(entropyOf(row), entropy);
    std::ranges::sort(row);
    EXPECT_EQ(entropyOf(row), entropy);
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, Entropy,
                         testing::Values(Shape{1, 1.0}, Shape{2, 3.0}, Shape{2, 60.0},
                                         Shape{3, 0.0}, Shape{10, 3.0}, Shape{10, 40.0},
                                         Shape{33, 5.0}, Shape{1000, 3.0}, Shape{1000, 30.0},
                                         Shape{3000, 4.0}),
                         [](const auto& shape) {
                           return "K" + std::to_string(shape.param.classes) + "Spread" +
                                  std::to_string(static_cast<int>(shape.param.spread));
                         });

TEST(EntropyOfRow, KeepsVanishingProbabilities) {
  // A sum of 1 would hide them.
  const std::vector<float> row{1.0F, 1e-30F, 3e-42F};
  EXPECT_TRUE(closeTo(entropyOf(row), plainEntropy(row), 1e-15, 0.0));
  EXPECT_GT(entropyOf(row), entropyOf(std::vector<float>{1.0F, 1e-30F, 0.0F}));
}

TEST(EntropyOfRow, StaysInItsRange) {
  EXPECT_EQ(entropyOf(std::vector<double>{0.0, 1.0, 0.0}), 0.0);
  EXPECT_EQ(entropyOf(std::vector<double>{1.0 + 1e-12, 0.0}), 0.0);
  EXPECT_EQ(entropyOf(std::vector<double>{0.0, 0.0}), 0.0);
  for (std::size_t classes = 2; classes < 40; ++classes) {
    const std::vector<float> uniform(classes, 1.0F / static_cast<float>(classes));
    EXPECT_LE(entropyOf(uniform), std::log(static_cast<double>(classes)));
  }
}

TEST(EntropyOfRow, LeavesOutNegativeNumbersAndKeepsNaN) {
  EXPECT_EQ(entropyOf(std::vector<double>{-0.25, 0.5, 0.5}),
            entropyOf(std::vector<double>{0.0, 0.5, 0.5}));
  for (const std::size_t place : {0, 4, 8}) {
    std::vector<double> row(9, 1.0 / 9.0);
    row[place] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(entropyOf(row))) << place;
  }
}

TEST(EntropyOfRow, OfNoClassesThrows) {
  EXPECT_THROW(static_cast<void>(entropyOf(std::span<const double>())), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(entropyOf(std::span<const float>())), std::invalid_argument);
}

#ifdef DUBITO_HAS_HIGHWAY
TEST(EntropyOfRow, IsTheSameOnAllInstructionSetsButForRounding) {
  const std::vector<float> row = someRows<float>(1, 77, 6.0, 1);
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    hwy::GetChosenTarget().DeInit();
    EXPECT_TRUE(closeTo(entropyOf(row), plainEntropy(row), 4e-15, 0.0))
        << hwy::TargetName(left & -left);
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
}
#endif

}  // namespace
}  // namespace dubito
