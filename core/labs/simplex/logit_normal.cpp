// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_normal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/base/nan.h"
#include "core/measures/simplex_density.h"

namespace dubito {
namespace {

constexpr double kSingularRatio = 1e-6;

/// softmax of zero-sum logits, and the sum of its logarithms.
struct Probs {
  std::array<double, 3> p{};
  double log_product = 0.0;
};

Probs probsAt(const std::array<double, 2>& t, std::size_t classes) {
  Probs probs{logitsOfPlanePoint(t, classes)};
  const ExpSum sum = softmaxInPlace(std::span(probs.p).first(classes));
  probs.log_product = -static_cast<double>(classes) * sum.log();
  return probs;
}

}  // namespace

LogitNormal::LogitNormal(const LogitGaussian& gaussian)
    : classes_(gaussian.mean.size()), plane_(planeGaussian(gaussian)) {
  const double c = std::cos(plane_.angle);
  const double s = std::sin(plane_.angle);
  first_ = {plane_.deviation[0] * c, plane_.deviation[0] * s};
  second_ = {-plane_.deviation[1] * s, plane_.deviation[1] * c};
  const double log_two_pi = std::log(2.0 * std::numbers::pi);
  log_norm_ = -0.5 * std::log(static_cast<double>(classes_));
  for (std::size_t i = 0; i + 1 < classes_; ++i) {
    log_norm_ -= 0.5 * log_two_pi + std::log(plane_.deviation[i]);
  }
}

bool LogitNormal::isSingular() const {
  if (!(plane_.deviation[0] > 0.0)) {
    return true;
  }
  return classes_ == 3 && !(plane_.deviation[1] > kSingularRatio * plane_.deviation[0]);
}

double LogitNormal::logWeightedDensity(const std::array<double, 2>& t) const {
  const double x = t[0] - plane_.mean[0];
  const double y = t[1] - plane_.mean[1];
  const double first = plane_.deviation[0] * plane_.deviation[0];
  const double u = (first_[0] * x + first_[1] * y) / first;
  double squares = u * u;
  if (classes_ == 3) {
    const double second = plane_.deviation[1] * plane_.deviation[1];
    const double v = (second_[0] * x + second_[1] * y) / second;
    squares += v * v;
  }
  return log_norm_ - 0.5 * squares;
}

double LogitNormal::logDensity(std::span<const double> probs) const {
  std::array<double, 3> logs{};
  double log_product = 0.0;
  for (std::size_t k = 0; k < classes_; ++k) {
    logs[k] = std::log(probs[k]);
    log_product += logs[k];
  }
  return logWeightedDensity(planePoint(std::span(logs).first(classes_))) - log_product;
}

std::array<double, 2> LogitNormal::unwhitened(double u, double v) const {
  return {plane_.mean[0] + first_[0] * u + second_[0] * v,
          plane_.mean[1] + first_[1] * u + second_[1] * v};
}

double LogitNormal::largestSlope() const {
  double largest = 0.0;
  for (const auto& column : {first_, second_}) {
    const auto z = logitsOfPlanePoint(column, classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        largest = std::max(largest, std::abs(z[k] - z[l]));
      }
    }
  }
  return largest;
}

std::array<double, 2> LogitNormal::mode(const std::array<double, 2>& start) const {
  const auto covariance = plane_.covariance();
  const auto value_at = [&](const std::array<double, 2>& t) {
    return logWeightedDensity(t) - probsAt(t, classes_).log_product;
  };
  std::array<double, 2> best = start;
  double highest = value_at(start);
  for (std::array<double, 2> t : {plane_.mean, start}) {
    double value = value_at(t);
    // The gradient of -sum_k ln p_k is K p - 1. The step S gradient would be Newton's if that part
    // were constant; it is halved until the density grows.
    for (int i = 0; i < 200; ++i) {
      Probs probs = probsAt(t, classes_);
      for (std::size_t k = 0; k < classes_; ++k) {
        probs.p[k] *= static_cast<double>(classes_);
      }
      const auto slope = planePoint(std::span(probs.p).first(classes_));
      const std::array<double, 2> step{
          plane_.mean[0] + covariance[0] * slope[0] + covariance[1] * slope[1] - t[0],
          plane_.mean[1] + covariance[1] * slope[0] + covariance[2] * slope[1] - t[1]};
      bool has_grown = false;
      for (double share = 1.0; share > 1e-6 && !has_grown; share *= 0.5) {
        const std::array<double, 2> next{t[0] + share * step[0], t[1] + share * step[1]};
        const double at_next = value_at(next);
        if (at_next > value) {
          t = next;
          value = at_next;
          has_grown = true;
        }
      }
      if (!has_grown) {
        break;
      }
    }
    if (value > highest) {
      highest = value;
      best = t;
    }
  }
  return best;
}

SimplexDensity logitNormalDensity(const LogitNormal& distribution, std::span<const double> mean,
                                  std::span<const double> variance, std::int64_t cells) {
  constexpr std::int64_t kMaxCells = 4096;
  if (cells < 2 || cells > kMaxCells || distribution.classes() != 3) {
    throw std::invalid_argument("logitNormalDensity: needs three classes and 2 to 4096 cells");
  }
  // p_0 and p_1 are odd multiples of 1/(4 n), p_2 is one of 1/(2 n).
  const auto n = static_cast<double>(cells);
  std::vector<double> logs(static_cast<std::size_t>(2 * cells));
  for (std::size_t i = 0; i < logs.size(); ++i) {
    logs[i] = std::log((2.0 * static_cast<double>(i) + 1.0) / (4.0 * n));
  }
  SimplexDensity result;
  result.log_density = Array<double>::zeros({cells, cells});
  double highest = -std::numeric_limits<double>::infinity();
  std::array<double, 2> highest_at = distribution.plane().mean;
  std::vector<double> inside;
  for (std::int64_t r = 0; r < cells; ++r) {
    const std::span<double> row = result.log_density.mutableRow(r);
    const double up = std::log((2.0 * static_cast<double>(r) + 1.0) / (2.0 * n));
    for (std::int64_t c = 0; c < cells; ++c) {
      const std::int64_t right = 4 * c - 2 * r + 1;
      const std::int64_t left = 4 * cells - 4 * c - 2 * r - 3;
      double& value = row[static_cast<std::size_t>(c)];
      if (right < 0 || left < 0) {
        value = kNaN;
        continue;
      }
      const std::array<double, 3> log_probs{logs[static_cast<std::size_t>(left / 2)],
                                            logs[static_cast<std::size_t>(right / 2)], up};
      const auto t = planePoint(log_probs);
      value = distribution.logWeightedDensity(t) - (log_probs[0] + log_probs[1] + log_probs[2]);
      inside.push_back(value);
      if (value > highest) {
        highest = value;
        highest_at = t;
      }
    }
  }
  std::ranges::copy(mean, result.mean.begin());
  const auto mode = distribution.mode(highest_at);
  result.mode = probsAt(mode, 3).p;
  for (double& value : inside) {
    value = std::exp(value - highest);
  }
  // A peak of a few cells is practically a Gaussian.
  constexpr double kCellsOfNarrow = 2.0;
  const bool is_narrow = std::sqrt(*std::ranges::max_element(variance)) < kCellsOfNarrow / n;
  std::optional<double> log_peak;
  if (is_narrow) {
    log_peak = distribution.logDensity(*result.mode);
  }
  result.levels = contourLevels(std::move(inside), highest, cells, log_peak);
  return result;
}

Curve logitNormalLine(const LogitNormal& distribution, std::int64_t points) {
  return curveAtCentres({0.0, 1.0}, points, [&](double p) {
    return std::exp(distribution.logDensity(std::array{p, 1.0 - p}));
  });
}

}  // namespace dubito
