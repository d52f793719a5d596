// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler/sampler_scene.h"

#include <algorithm>
#include <utility>

namespace dubito {
namespace {

constexpr std::int64_t kRows = 180;
constexpr std::int64_t kColumns = 240;
/// Odd, so that the middle of a range, where the funnel has its peak, is one of the places.
constexpr std::int64_t kMarginalPlaces = 201;

/// Levels of SamplerTarget::levels() relative to the highest shown value.
std::vector<DensityLevel> levelsOf(const SamplerTarget& target, double largest,
                                   const std::vector<double>& shares) {
  const std::vector<double> values = target.levels(shares);
  std::vector<DensityLevel> levels;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    levels.push_back({shares[i], values[i] - largest});
  }
  return levels;
}

}  // namespace

bool SamplerScene::isOf(const SamplerLabOptions& options, std::uint64_t of_seed) const {
  return key == options.density && correlation == options.correlation && seed == of_seed;
}

Expected<SamplerScenePtr> makeSamplerScene(const SamplerLabOptions& options, std::uint64_t seed,
                                           RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  SamplerTarget target = findSamplerTarget(options.density)->make(options.correlation);
  Array<double> density = logDensityGrid(target, kRows, kColumns);
  const double largest = std::ranges::max(density.values());
  for (double& value : density.mutableValues()) {
    value -= largest;
  }
  auto laplace = laplaceGaussian(*target.density, target.near_mode);
  auto mean_field = fittedMeanField(target, seed, context);
  if (!mean_field && mean_field.error().code == ErrorCode::kCancelled) {
    return failWith(mean_field);
  }
  std::vector<DensityLevel> levels = levelsOf(target, largest, {0.5, 0.9, 0.99});
  std::array<Curve, 2> marginals{marginalDensity(target, 0, kMarginalPlaces),
                                 marginalDensity(target, 1, kMarginalPlaces)};
  return std::make_shared<const SamplerScene>(SamplerScene{
      options.density, options.correlation, seed, std::move(target), std::move(density),
      std::move(levels), std::move(marginals), std::move(laplace), std::move(mean_field)});
}

}  // namespace dubito
