// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/bounded_ascent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/all_finite.h"

namespace dubito {
namespace {

constexpr double kMaxChange = 2.0;
constexpr int kMaxTrials = 30;
/// Share of the slope that a step must gain (Armijo's condition).
constexpr double kSufficientGain = 1e-4;
/// Converged if no free derivative is larger, or a step gains less, relative to 1 + |value|.
constexpr double kMinSlope = 1e-6;
constexpr double kMinGain = 1e-10;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) {
    result = std::max(result, std::abs(value));
  }
  return result;
}

bool isUsable(const AscentValue& value) {
  return std::isfinite(value.value) && allFinite(value.gradient);
}

}  // namespace

Expected<BoundedAscent> BoundedAscent::begin(const AscentFunction& function,
                                             std::vector<double> point, AscentBounds bounds) {
  BoundedAscent ascent;
  for (std::size_t i = 0; i < point.size(); ++i) {
    point[i] = std::clamp(point[i], bounds.low[i], bounds.high[i]);
  }
  ascent.point_ = std::move(point);
  ascent.bounds_ = std::move(bounds);
  Expected<AscentValue> value = function(ascent.point_);
  if (!value) {
    return failWith(value);
  }
  if (!isUsable(*value)) {
    return fail(ErrorCode::kInvalidArgument,
                "the evidence at the starting point is not a number; use other starting values");
  }
  ascent.current_ = std::move(*value);
  ascent.resetCurvature();
  return ascent;
}

Status BoundedAscent::step(const AscentFunction& function) {
  const std::vector<bool> is_free = freeVariables();
  std::vector<double> slope = current_.gradient;
  for (std::size_t i = 0; i < slope.size(); ++i) {
    slope[i] = is_free[i] ? slope[i] : 0.0;
  }
  const double size = 1.0 + std::abs(current_.value);
  converged_ = converged_ || largest(slope) <= kMinSlope * size;
  if (converged_) {
    return {};
  }
  std::vector<double> way = direction(is_free);
  if (!(dot(way, slope) > 0.0)) {
    resetCurvature();
    way = direction(is_free);
  }
  double length = 1.0;
  for (int trial = 0; trial < kMaxTrials; ++trial) {
    std::vector<double> point = point_;
    std::vector<double> moved(point.size());
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = std::clamp(point_[i] + length * way[i], bounds_.low[i], bounds_.high[i]);
      moved[i] = point[i] - point_[i];
    }
    Expected<AscentValue> value = function(point);
    if (!value && value.error().code == ErrorCode::kCancelled) {
      return failWith(value);
    }
    const double expected_gain = dot(current_.gradient, moved);
    if (value && isUsable(*value)) {
      const double gain = value->value - current_.value;
      if (gain >= kSufficientGain * expected_gain && gain >= 0.0) {
        std::vector<double> bent(point.size());
        for (std::size_t i = 0; i < point.size(); ++i) {
          bent[i] = current_.gradient[i] - value->gradient[i];
        }
        updateCurvature(moved, bent);
        point_ = std::move(point);
        current_ = std::move(*value);
        converged_ = gain <= kMinGain * size;
        return {};
      }
      // The maximum of the parabola through both values and the slope.
      const double better = 0.5 * expected_gain / (expected_gain - gain);
      length *= std::isfinite(better) ? std::clamp(better, 0.1, 0.5) : 0.5;
    } else {
      length *= 0.3;
    }
  }
  // The steepest ascent gains nothing: the value is a maximum to working precision.
  converged_ = is_reset_;
  resetCurvature();
  return {};
}

std::vector<bool> BoundedAscent::freeVariables() const {
  std::vector<bool> result(point_.size());
  for (std::size_t i = 0; i < point_.size(); ++i) {
    const bool is_held = (point_[i] <= bounds_.low[i] && current_.gradient[i] < 0.0) ||
                         (point_[i] >= bounds_.high[i] && current_.gradient[i] > 0.0);
    result[i] = !is_held;
  }
  return result;
}

std::vector<double> BoundedAscent::direction(const std::vector<bool>& is_free) const {
  const std::size_t count = point_.size();
  std::vector<double> way(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count && is_free[i]; ++j) {
      way[i] += is_free[j] ? inverse_curvature_[i * count + j] * current_.gradient[j] : 0.0;
    }
  }
  // Without knowledge of the curvature, a slope says nothing about the length of a step.
  const double limit = is_reset_ ? 0.5 * kMaxChange : kMaxChange;
  const double scale = std::min(1.0, limit / largest(way));
  for (double& change : way) {
    change *= scale;
  }
  return way;
}

void BoundedAscent::updateCurvature(const std::vector<double>& moved,
                                    const std::vector<double>& bent) {
  const double product = dot(moved, bent);
  if (!(product > 1e-10 * std::sqrt(dot(moved, moved) * dot(bent, bent)))) {
    return;
  }
  const std::size_t count = point_.size();
  if (is_reset_) {
    for (std::size_t i = 0; i < count; ++i) {
      inverse_curvature_[i * count + i] = product / dot(bent, bent);
    }
    is_reset_ = false;
  }
  std::vector<double> image(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      image[i] += inverse_curvature_[i * count + j] * bent[j];
    }
  }
  const double weight = (1.0 + dot(bent, image) / product) / product;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      inverse_curvature_[i * count + j] +=
          weight * moved[i] * moved[j] - (image[i] * moved[j] + moved[i] * image[j]) / product;
    }
  }
}

void BoundedAscent::resetCurvature() {
  const std::size_t count = point_.size();
  inverse_curvature_.assign(count * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    inverse_curvature_[i * count + i] = 1.0;
  }
  is_reset_ = true;
}

}  // namespace dubito
