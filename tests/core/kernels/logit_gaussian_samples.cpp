// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/kernels/logit_gaussian_samples.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace dubito::test {
namespace {

Array<float> normals(std::vector<std::int64_t> shape, float scale, std::mt19937& random) {
  std::normal_distribution<float> normal(0.0F, 1.0F);
  Array<float> values = Array<float>::zeros(std::move(shape));
  std::generate_n(values.mutableData(), values.size(), [&] { return scale * normal(random); });
  return values;
}

/// Spread evenly over two decades below `largest`.
Array<float> positives(std::vector<std::int64_t> shape, float largest, std::mt19937& random) {
  std::uniform_real_distribution<float> exponent(-2.0F, 0.0F);
  Array<float> values = Array<float>::zeros(std::move(shape));
  std::generate_n(values.mutableData(), values.size(),
                  [&] { return largest * std::pow(10.0F, exponent(random)); });
  return values;
}

}  // namespace

LogitGaussians randomDiagonal(std::int64_t items, std::int64_t classes, float scale, float variance,
                              unsigned seed) {
  std::mt19937 random(seed);
  Array<float> mean = normals({items, classes}, scale, random);
  return {mean, DiagonalCovariance{positives({items, classes}, variance, random)}};
}

LogitGaussians randomFactored(std::int64_t items, std::int64_t classes, std::int64_t columns,
                              bool scale_a_column, float scale, unsigned seed) {
  std::mt19937 random(seed);
  Array<float> mean = normals({items, classes}, scale, random);
  Array<float> factor = normals({classes, columns}, 0.5F, random);
  return {mean, FactoredCovariance{factor,
                                   positives({items, scale_a_column ? columns : 1}, 1.0F, random)}};
}

LogitGaussians randomFull(std::int64_t items, std::int64_t classes, std::int64_t rank, float scale,
                          unsigned seed) {
  std::mt19937 random(seed);
  Array<float> mean = normals({items, classes}, scale, random);
  Array<float> full = Array<float>::zeros({items, classes, classes});
  for (std::int64_t row = 0; row < items; ++row) {
    const Array<float> root = normals({classes, rank}, 0.5F, random);
    for (std::int64_t k = 0; k < classes; ++k) {
      for (std::int64_t l = 0; l < classes; ++l) {
        double sum = 0.0;
        for (std::int64_t r = 0; r < rank; ++r) {
          sum += double{root.data()[k * rank + r]} * double{root.data()[l * rank + r]};
        }
        full.mutableData()[(row * classes + k) * classes + l] = static_cast<float>(sum);
      }
    }
  }
  return {mean, FullCovariance{full}};
}

}  // namespace dubito::test
