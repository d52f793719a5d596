// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/mixup.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/train/augment.h"

namespace dubito {
namespace {

constexpr std::int64_t kMixupStream = 1'000'005;
/// Below, a share differs from 0 and 1 by less than double precision resolves.
constexpr double kMinA = 1e-6;

/// The logarithm of a number from Gamma(a, 1) (Marsaglia and Tsang 2000): small a underflow
/// otherwise.
double logGamma(double a, ItemRandom& random) {
  const double boost = a < 1.0 ? std::log(random.uniform()) / a : 0.0;
  const double d = (a < 1.0 ? a + 1.0 : a) - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double normal = random.normalPair()[0];
    const double root = 1.0 + c * normal;
    const double uniform = random.uniform();
    if (root <= 0.0) {
      continue;
    }
    const double cube = root * root * root;
    if (std::log(uniform) < 0.5 * normal * normal + d * (1.0 - cube + std::log(cube))) {
      return std::log(d * cube) + boost;
    }
  }
}

}  // namespace

Mixup randomMixup(std::uint64_t seed, std::int64_t epoch, std::int64_t batch, double a,
                  std::int64_t count) {
  ItemRandom random = augmentRandom(seed, kMixupStream, epoch, batch);
  const double shape = std::max(a, kMinA);
  const double one = logGamma(shape, random);
  const double other = logGamma(shape, random);
  Mixup mixup{.share = 1.0 / (1.0 + std::exp(other - one)),
              .partners = std::vector<std::int64_t>(static_cast<std::size_t>(count))};
  std::iota(mixup.partners.begin(), mixup.partners.end(), std::int64_t{0});
  for (std::int64_t i = count - 1; i > 0; --i) {
    const auto j = static_cast<std::int64_t>(random.uniform() * static_cast<double>(i + 1));
    std::swap(mixup.partners[static_cast<std::size_t>(i)],
              mixup.partners[static_cast<std::size_t>(j)]);
  }
  return mixup;
}

}  // namespace dubito
