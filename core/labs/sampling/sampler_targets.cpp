// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/sampler_targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "core/base/find_by_key.h"
#include "core/base/nan.h"

namespace dubito {
namespace {

class TwoDimensional : public LogDensity {
 public:
  [[nodiscard]] std::int64_t dimension() const override { return 2; }
};

void setGradient(std::span<double> gradient, double x, double y) {
  if (!gradient.empty()) {
    gradient[0] = x;
    gradient[1] = y;
  }
}

/// Standard normals with a correlation.
class CorrelatedGaussian : public TwoDimensional {
 public:
  explicit CorrelatedGaussian(double correlation)
      : correlation_(correlation), precision_(1.0 / (1.0 - correlation * correlation)) {}
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    const double x = precision_ * (q[0] - correlation_ * q[1]);
    const double y = precision_ * (q[1] - correlation_ * q[0]);
    setGradient(gradient, -x, -y);
    return -0.5 * (q[0] * x + q[1] * y);
  }

 private:
  double correlation_;
  double precision_;
};

constexpr double kBananaWidth = 2.0;
constexpr double kBananaBend = 0.25;

/// x ~ N(0, width^2), y ~ N(bend (x^2 - width^2), 1).
class Banana : public TwoDimensional {
 public:
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    const double precision = 1.0 / (kBananaWidth * kBananaWidth);
    const double error = q[1] - kBananaBend * (q[0] * q[0] - kBananaWidth * kBananaWidth);
    setGradient(gradient, -precision * q[0] + 2.0 * kBananaBend * q[0] * error, -error);
    return -0.5 * (precision * q[0] * q[0] + error * error);
  }
};

struct Component {
  double weight, x, y, std;
};
constexpr std::array<Component, 3> kComponents{
    {{0.5, -1.5, -1.0, 0.7}, {0.3, 2.0, 1.5, 0.6}, {0.2, 1.5, -2.0, 0.5}}};

class GaussianMixture : public TwoDimensional {
 public:
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    std::array<double, kComponents.size()> logs{};
    for (std::size_t k = 0; k < kComponents.size(); ++k) {
      const auto& [weight, x, y, std] = kComponents[k];
      const double squares = (q[0] - x) * (q[0] - x) + (q[1] - y) * (q[1] - y);
      logs[k] = std::log(weight / (std * std)) - 0.5 * squares / (std * std);
    }
    const double largest = *std::ranges::max_element(logs);
    double sum = 0.0;
    double slope_x = 0.0;
    double slope_y = 0.0;
    for (std::size_t k = 0; k < kComponents.size(); ++k) {
      const auto& [weight, x, y, std] = kComponents[k];
      const double share = std::exp(logs[k] - largest);
      sum += share;
      slope_x += share * (x - q[0]) / (std * std);
      slope_y += share * (y - q[1]) / (std * std);
    }
    setGradient(gradient, slope_x / sum, slope_y / sum);
    return largest + std::log(sum);
  }
};

DenseGaussian mixtureMoments() {
  DenseGaussian moments{{0.0, 0.0}, std::vector<double>(4)};
  for (const auto& [weight, x, y, std] : kComponents) {
    moments.mean[0] += weight * x;
    moments.mean[1] += weight * y;
  }
  for (const auto& [weight, x, y, std] : kComponents) {
    const std::array<double, 2> away{x - moments.mean[0], y - moments.mean[1]};
    for (std::size_t i = 0; i < 4; ++i) {
      const double within = i == 0 || i == 3 ? std * std : 0.0;
      moments.covariance[i] += weight * (within + away[i / 2] * away[i % 2]);
    }
  }
  return moments;
}

constexpr double kFunnelVariance = 9.0;

/// Neal's funnel: v ~ N(0, 9), x ~ N(0, e^v); q = (x, v).
class Funnel : public TwoDimensional {
 public:
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    const double precision = std::exp(-q[1]);
    const double square = 0.5 * q[0] * q[0] * precision;
    setGradient(gradient, -q[0] * precision, -q[1] / kFunnelVariance + square - 0.5);
    return -0.5 * q[1] * q[1] / kFunnelVariance - square - 0.5 * q[1];
  }
};

constexpr std::array<std::array<double, 2>, 6> kNetworkPoints{
    {{-2.0, -1.1}, {-1.0, -0.7}, {-0.3, -0.4}, {0.4, 0.2}, {1.2, 1.0}, {2.0, 0.8}}};
constexpr double kNetworkNoise = 0.4;
constexpr double kNetworkPrior = 2.0;

/// y = w2 tanh(w1 x) + N(0, 0.4^2), weights N(0, 2^2); q = (w1, w2).
class TinyNetwork : public TwoDimensional {
 public:
  double evaluate(std::span<const double> q, std::span<double> gradient) const override {
    const double prior = 1.0 / (kNetworkPrior * kNetworkPrior);
    const double precision = 1.0 / (kNetworkNoise * kNetworkNoise);
    double value = -0.5 * prior * (q[0] * q[0] + q[1] * q[1]);
    double slope_1 = -prior * q[0];
    double slope_2 = -prior * q[1];
    for (const auto& [x, y] : kNetworkPoints) {
      const double unit = std::tanh(q[0] * x);
      const double error = y - q[1] * unit;
      value -= 0.5 * precision * error * error;
      slope_1 += precision * error * q[1] * (1.0 - unit * unit) * x;
      slope_2 += precision * error * unit;
    }
    setGradient(gradient, slope_1, slope_2);
    return value;
  }
};

double midpoint(Interval interval, std::int64_t index, std::int64_t count) {
  return interval.low + (interval.high - interval.low) * (static_cast<double>(index) + 0.5) /
                            static_cast<double>(count);
}

/// A cell of a density: ln p, and the logarithm of the probability of the cell up to a constant.
struct MassCell {
  double log_density;
  double log_mass;
};

std::vector<double> levelsOfCells(std::vector<MassCell> cells, std::span<const double> shares) {
  std::ranges::sort(cells, std::greater(), &MassCell::log_density);
  const double largest = std::ranges::max_element(cells, {}, &MassCell::log_mass)->log_mass;
  double mass = 0.0;
  for (const MassCell& cell : cells) {
    mass += std::exp(cell.log_mass - largest);
  }
  std::vector<double> levels;
  for (const double share : shares) {
    double above = 0.0;
    double level = cells.back().log_density;
    for (const MassCell& cell : cells) {
      above += std::exp(cell.log_mass - largest);
      if (above >= share * mass) {
        level = cell.log_density;
        break;
      }
    }
    levels.push_back(level);
  }
  return levels;
}

/// Cells per side of the integrals over regions.
constexpr std::int64_t kLevelCells = 600;

/// ln p at the centres of a grid, row by row from the lowest y.
std::vector<double> logDensityGrid(const LogDensity& density, Interval x, Interval y,
                                   std::int64_t rows, std::int64_t columns) {
  std::vector<double> logs;
  logs.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      logs.push_back(density.evaluate(
          std::array<double, 2>{midpoint(x, j, columns), midpoint(y, i, rows)}, {}));
    }
  }
  return logs;
}

/// Levels of a density by a grid over a range that holds all but 1e-6 of its probability.
std::function<std::vector<double>(std::span<const double>)> integratedLevels(
    std::shared_ptr<const LogDensity> density, Interval x, Interval y) {
  return [density = std::move(density), x, y](std::span<const double> shares) {
    std::vector<MassCell> cells;
    for (const double log : logDensityGrid(*density, x, y, kLevelCells, kLevelCells)) {
      cells.push_back({log, log});
    }
    return levelsOfCells(std::move(cells), shares);
  };
}

/// Levels if ln p + r^2 / 2 is constant for two standard normals r that map to the plane with a
/// constant Jacobian: P(r^2 <= -2 ln(1 - share)) = share.
std::vector<double> normalLevels(std::span<const double> shares) {
  std::vector<double> levels;
  for (const double share : shares) {
    levels.push_back(std::log1p(-share));
  }
  return levels;
}

/// A grid over v / 3 and x e^(-v/2), which are standard normals.
std::vector<double> funnelLevels(std::span<const double> shares) {
  constexpr Interval kNormal{-7.0, 7.0};
  std::vector<MassCell> cells;
  cells.reserve(static_cast<std::size_t>(kLevelCells * kLevelCells));
  for (std::int64_t i = 0; i < kLevelCells; ++i) {
    const double of_v = midpoint(kNormal, i, kLevelCells);
    const double v = std::sqrt(kFunnelVariance) * of_v;
    for (std::int64_t j = 0; j < kLevelCells; ++j) {
      const double of_x = midpoint(kNormal, j, kLevelCells);
      const double log_mass = -0.5 * (of_v * of_v + of_x * of_x);
      cells.push_back({log_mass - 0.5 * v, log_mass});
    }
  }
  return levelsOfCells(std::move(cells), shares);
}

const double kLogTwoPi = std::log(2.0 * std::numbers::pi);

SamplerTarget gaussianTarget(double correlation) {
  return {.density = std::make_shared<CorrelatedGaussian>(correlation),
          .moments = {{0.0, 0.0}, {1.0, correlation, correlation, 1.0}},
          .log_normaliser = kLogTwoPi + 0.5 * std::log1p(-correlation * correlation),
          .shown_x = {-3.5, 3.5},
          .shown_y = {-3.5, 3.5},
          .near_mode = {0.0, 0.0},
          .levels = normalLevels};
}

SamplerTarget bananaTarget(double /*correlation*/) {
  const double width_2 = kBananaWidth * kBananaWidth;
  const double bent = 1.0 + 2.0 * kBananaBend * kBananaBend * width_2 * width_2;
  return {.density = std::make_shared<Banana>(),
          .moments = {{0.0, 0.0}, {width_2, 0.0, 0.0, bent}},
          .log_normaliser = kLogTwoPi + std::log(kBananaWidth),
          .shown_x = {-6.5, 6.5},
          .shown_y = {-4.5, 9.5},
          .near_mode = {0.1, -1.0},
          .levels = normalLevels};
}

SamplerTarget mixtureTarget(double /*correlation*/) {
  const auto density = std::make_shared<GaussianMixture>();
  return {.density = density,
          .moments = mixtureMoments(),
          .log_normaliser = kLogTwoPi,  // the weights sum to 1
          .shown_x = {-4.0, 4.5},
          .shown_y = {-4.0, 4.0},
          .near_mode = {-1.5, -1.0},
          .levels = integratedLevels(density, {-6.0, 6.0}, {-6.0, 6.0})};
}

SamplerTarget funnelTarget(double /*correlation*/) {
  return {.density = std::make_shared<Funnel>(),
          .moments = {{0.0, 0.0}, {std::exp(0.5 * kFunnelVariance), 0.0, 0.0, kFunnelVariance}},
          .log_normaliser = kLogTwoPi + 0.5 * std::log(kFunnelVariance),
          .shown_x = {-20.0, 20.0},
          .shown_y = {-9.0, 9.0},
          .near_mode = {0.0, -4.0},
          .levels = funnelLevels};
}

SamplerTarget networkTarget(double /*correlation*/) {
  constexpr Interval kWide{-12.0, 12.0};
  constexpr int kCells = 600;
  const auto density = std::make_shared<TinyNetwork>();
  DensityIntegrals integrals = integratedDensity(*density, kWide, kWide, kCells);
  return {.density = density,
          .moments = std::move(integrals.moments),
          .is_integrated = true,
          .log_normaliser = integrals.log_normaliser,
          .shown_x = {-6.0, 6.0},
          .shown_y = {-4.0, 4.0},
          .near_mode = {1.0, 1.0},
          .levels = integratedLevels(density, kWide, kWide)};
}

}  // namespace

const std::vector<SamplerTargetInfo>& samplerTargets() {
  static const std::vector<SamplerTargetInfo> targets{
      {"gaussian", "Correlated Gaussian",
       "Two normal variables with a correlation: the narrower the ridge, the smaller the steps.",
       "x", "y", gaussianTarget},
      {"banana", "Banana", "A bent ridge: no single direction is right everywhere.", "x", "y",
       bananaTarget},
      {"mixture", "Three Gaussians",
       "Three separate modes: a chain can stay in one and look converged.", "x", "y",
       mixtureTarget},
      {"funnel", "Funnel",
       "Neal's funnel: its width falls from 90 to 0.01, so no single step size fits.", "x", "v",
       funnelTarget},
      {"network", "Two weights",
       "The posterior of y = w2 tanh(w1 x) given six points: changing both signs changes nothing, "
       "so there are two modes.",
       "w1", "w2", networkTarget}};
  return targets;
}

const SamplerTargetInfo* findSamplerTarget(std::string_view key) {
  return findByKey(samplerTargets(), key);
}

DensityIntegrals integratedDensity(const LogDensity& density, Interval x, Interval y, int cells) {
  const std::vector<double> logs = logDensityGrid(density, x, y, cells, cells);
  const double largest = *std::ranges::max_element(logs);
  double mass = 0.0;
  std::array<double, 5> sums{};
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double p = std::exp(logs[i] - largest);
    const double a = midpoint(x, static_cast<std::int64_t>(i) % cells, cells);
    const double b = midpoint(y, static_cast<std::int64_t>(i) / cells, cells);
    mass += p;
    const std::array<double, 5> terms{a, b, a * a, a * b, b * b};
    for (std::size_t k = 0; k < terms.size(); ++k) {
      sums[k] += p * terms[k];
    }
  }
  const double mean_x = sums[0] / mass;
  const double mean_y = sums[1] / mass;
  const double cross = sums[3] / mass - mean_x * mean_y;
  const double cell = (x.high - x.low) * (y.high - y.low) / (static_cast<double>(cells) * cells);
  return {{{mean_x, mean_y},
           {sums[2] / mass - mean_x * mean_x, cross, cross, sums[4] / mass - mean_y * mean_y}},
          largest + std::log(mass * cell)};
}

Curve marginalDensity(const SamplerTarget& target, std::size_t axis, std::int64_t count) {
  // The funnel is 0.01 wide at the lower end of its range and a few hundred at the upper one.
  constexpr double kNarrow = 0.01;
  constexpr Interval kWide{-12.0, 12.0};
  constexpr std::int64_t kCells = 4000;
  constexpr double kCell = (kWide.high - kWide.low) / static_cast<double>(kCells);
  std::vector<double> places;
  std::vector<double> widths;
  for (std::int64_t i = 0; i < kCells; ++i) {
    const double t = midpoint(kWide, i, kCells);
    places.push_back(kNarrow * std::sinh(t));
    widths.push_back(kNarrow * std::cosh(t) * kCell);
  }
  const Interval shown = axis == 0 ? target.shown_x : target.shown_y;
  Curve curve{.name = {}, .x = evenlySpaced(shown, count), .y = {}, .summary = kNaN};
  for (const double at : curve.x) {
    double density = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::array<double, 2> q =
          axis == 0 ? std::array{at, places[i]} : std::array{places[i], at};
      const double log_density = target.density->evaluate(q, {});
      // Far away, a product of 0 and infinity is possible where the density is 0.
      if (!std::isnan(log_density)) {
        density += std::exp(log_density - target.log_normaliser) * widths[i];
      }
    }
    curve.y.push_back(density);
  }
  return curve;
}

Array<double> logDensityGrid(const SamplerTarget& target, std::int64_t rows, std::int64_t columns) {
  return Array<double>::fromVector({rows, columns}, logDensityGrid(*target.density, target.shown_x,
                                                                   target.shown_y, rows, columns));
}

}  // namespace dubito
