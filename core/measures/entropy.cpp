// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/entropy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/measures/vector_math.h"

namespace dubito {
namespace {

// Several sums at a time, because each addition depends on the previous one.
constexpr std::size_t kSums = 4;
// Rows of few classes are computed together.
constexpr std::int64_t kTermsTogether = 2048;

/// Calls each(i, i % kSums) for i < count, in steps of kSums that are written out.
template <class Each>
void forEachInTurns(std::size_t count, const Each& each) {
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) {
      each(i + j, j);
    }
  }
  for (std::size_t j = 0; i < count; ++i, ++j) {
    each(i, j);
  }
}

double largestSize(const double* terms, std::size_t count) {
  std::array<double, kSums> largest{};
  forEachInTurns(count, [&](std::size_t i, std::size_t j) {
    largest[j] = std::max(largest[j], std::abs(terms[i]));
  });
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

/// The sum of the terms rounded to the last place of `coarse`, plus that of their rests rounded to
/// the last place of `fine`. Both sums are exact if none exceeds half of coarse or fine.
double sumInTwo(const double* terms, std::size_t count, double coarse, double fine) {
  std::array<double, kSums> sums{};
  std::array<double, kSums> sums_of_rests{};
  forEachInTurns(count, [&](std::size_t i, std::size_t j) {
    const double rounded = (terms[i] + coarse) - coarse;
    sums[j] += rounded;
    sums_of_rests[j] += ((terms[i] - rounded) + fine) - fine;
  });
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
         ((sums_of_rests[0] + sums_of_rests[1]) + (sums_of_rests[2] + sums_of_rests[3]));
}

constexpr int kBias = 1023;
constexpr int kMantissaBits = 52;

/// std::ilogb(x) for x > 0, without a call for those that are not subnormal.
int exponentOf(double x) {
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> kMantissaBits);
  return biased > 0 ? biased - kBias : std::ilogb(x);
}

/// 1.5 * 2^exponent.
double oneAndAHalfTimes(int exponent) {
  if (exponent <= -kBias || exponent > kBias) {
    return std::ldexp(1.5, exponent);
  }
  const auto biased = static_cast<std::uint64_t>(exponent + kBias);
  return std::bit_cast<double>((biased << kMantissaBits) | (std::uint64_t{1} << 51));
}

/// Reproducible summation (Demmel and Nguyen 2013) in two steps, whose places follow from the
/// largest term. Relative error 2^-53 plus at most K^3 2^-99.
double sumInAnyOrder(const double* terms, std::size_t count) {
  constexpr int kDigits = std::numeric_limits<double>::digits;
  const double largest = largestSize(terms, count);
  if (largest == 0.0 || !std::isfinite(largest)) {
    return std::accumulate(terms, terms + count, 0.0);
  }
  const int of_count = static_cast<int>(std::bit_width(count)) + 1;
  const int coarse = exponentOf(largest) + 1 + of_count;
  const int fine = coarse + 1 - kDigits + of_count;
  return sumInTwo(terms, count, oneAndAHalfTimes(coarse), oneAndAHalfTimes(fine));
}

}  // namespace

template <class T>
void EntropyCalculator::compute(const T* probs, std::int64_t rows, std::int64_t classes,
                                double* entropies) {
  if (classes < 1) {
    throw std::invalid_argument("a row over classes must not be empty");
  }
  const std::int64_t together = std::clamp<std::int64_t>(kTermsTogether / classes, 1, rows);
  const auto count = static_cast<std::size_t>(classes);
  terms_.resize(static_cast<std::size_t>(together) * count);
  const double log_classes = std::log(static_cast<double>(classes));
  for (std::int64_t begin = 0; begin < rows; begin += together) {
    const std::int64_t end = std::min(rows, begin + together);
    entropyTerms(probs + begin * classes, static_cast<std::size_t>(end - begin) * count,
                 terms_.data());
    for (std::int64_t i = begin; i < end; ++i) {
      const double sum =
          sumInAnyOrder(terms_.data() + static_cast<std::size_t>(i - begin) * count, count);
      // Rounded rows (float32, or sums slightly off 1) could leave the range.
      entropies[i] = std::isnan(sum) ? sum : std::clamp(sum, 0.0, log_classes);
    }
  }
}

double EntropyCalculator::operator()(std::span<const double> probs) {
  double entropy = 0.0;
  compute(probs.data(), 1, std::ssize(probs), &entropy);
  return entropy;
}
double EntropyCalculator::operator()(std::span<const float> probs) {
  double entropy = 0.0;
  compute(probs.data(), 1, std::ssize(probs), &entropy);
  return entropy;
}

void EntropyCalculator::ofRows(const double* probs, std::int64_t rows, std::int64_t classes,
                               double* entropies) {
  compute(probs, rows, classes, entropies);
}
void EntropyCalculator::ofRows(const float* probs, std::int64_t rows, std::int64_t classes,
                               double* entropies) {
  compute(probs, rows, classes, entropies);
}

double entropyOf(std::span<const double> probs) {
  return EntropyCalculator()(probs);
}
double entropyOf(std::span<const float> probs) {
  return EntropyCalculator()(probs);
}

}  // namespace dubito
