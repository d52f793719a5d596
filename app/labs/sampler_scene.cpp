// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/sampler_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dubito {
namespace {

constexpr std::int64_t kRows = 180;
constexpr std::int64_t kColumns = 240;

}  // namespace

bool SamplerScene::isOf(const SamplerLabOptions& options, std::uint64_t of_seed) const {
  return key == options.density && correlation == options.correlation && seed == of_seed;
}

std::vector<DensityLevel> levelsOf(const Array<double>& log_density,
                                   const std::vector<double>& shares) {
  std::vector<double> sorted(log_density.values().begin(), log_density.values().end());
  std::ranges::sort(sorted, std::greater());
  double mass = 0.0;
  for (const double value : sorted) {
    mass += std::exp(value);
  }
  std::vector<DensityLevel> levels;
  for (const double share : shares) {
    double above = 0.0;
    for (const double value : sorted) {
      above += std::exp(value);
      if (above >= share * mass) {
        levels.push_back({share, value});
        break;
      }
    }
  }
  return levels;
}

Expected<SamplerScenePtr> makeSamplerScene(const SamplerLabOptions& options, std::uint64_t seed,
                                           RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  SamplerTarget target = findSamplerTarget(options.density)->make(options.correlation);
  Array<double> density = densityGrid(target, kRows, kColumns);
  for (double& value : density.mutableValues()) {
    value = std::log(value);
  }
  auto laplace = laplaceGaussian(*target.density, target.near_mode);
  auto mean_field = fittedMeanField(target, seed, context);
  if (!mean_field && mean_field.error().code == ErrorCode::kCancelled) {
    return failWith(mean_field);
  }
  std::vector<DensityLevel> levels = levelsOf(density, {0.5, 0.9, 0.99});
  return std::make_shared<const SamplerScene>(SamplerScene{
      options.density, options.correlation, seed, std::move(target), std::move(density),
      std::move(levels), std::move(laplace), std::move(mean_field)});
}

}  // namespace dubito
