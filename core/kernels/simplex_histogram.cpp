// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/simplex_histogram.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>

#include "core/kernels/logit_normal_mc.h"

namespace dubito {

std::int64_t simplexTriangle(double p_0, double p_1, std::int64_t resolution) {
  const double x = static_cast<double>(resolution) * p_0;
  const double y = static_cast<double>(resolution) * p_1;
  const auto i = std::min(resolution - 1, static_cast<std::int64_t>(x));
  const auto j = std::min(resolution - 1 - i, static_cast<std::int64_t>(y));
  const bool is_upper =
      i + j + 2 <= resolution && (x - static_cast<double>(i)) + (y - static_cast<double>(j)) > 1.0;
  return 2 * (i * resolution + j) + (is_upper ? 1 : 0);
}

SimplexHistogram simplexHistogram(const Array<float>& probs,
                                  const std::array<std::int64_t, 3>& classes,
                                  std::int64_t resolution) {
  constexpr std::int64_t kMaxResolution = 4096;
  if (probs.rank() != 2 || resolution < 1 || resolution > kMaxResolution) {
    throw std::invalid_argument(
        "simplexHistogram: probabilities must be [M, K] and the resolution in [1, 4096]");
  }
  const auto [a, b, c] = classes;
  if (a == b || a == c || b == c || std::min({a, b, c}) < 0 ||
      std::max({a, b, c}) >= probs.extent(1)) {
    throw std::invalid_argument("simplexHistogram: three distinct classes in [0, K) are required");
  }
  SimplexHistogram histogram{Array<std::int64_t>::zeros({resolution, 2 * resolution})};
  for (std::int64_t draw = 0; draw < probs.extent(0); ++draw) {
    const std::span<const float> row = probs.row(draw);
    const double first = row[static_cast<std::size_t>(a)];
    const double second = row[static_cast<std::size_t>(b)];
    const double sum = first + second + double{row[static_cast<std::size_t>(c)]};
    if (!(sum > 0.0) || std::isinf(sum)) {
      continue;
    }
    ++histogram.counts.mutableData()[simplexTriangle(first / sum, second / sum, resolution)];
    ++histogram.samples;
  }
  return histogram;
}

SimplexHistogram simplexHistogram(const LogitGaussians& gaussians, std::int64_t row,
                                  std::int64_t item_id, const std::array<std::int64_t, 3>& classes,
                                  std::int64_t resolution, std::int64_t samples,
                                  std::uint64_t seed) {
  return simplexHistogram(logitNormalSamples(gaussians, row, item_id, samples, seed), classes,
                          resolution);
}

}  // namespace dubito
