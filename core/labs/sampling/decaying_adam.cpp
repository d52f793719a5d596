// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/decaying_adam.h"

#include <cmath>
#include <numbers>

namespace dubito {
namespace {

constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kFloor = 1e-8;

}  // namespace

DecayingAdam::DecayingAdam(std::int64_t dimension, double rate, std::int64_t steps)
    : rate_(rate),
      steps_(steps),
      first_(static_cast<std::size_t>(dimension)),
      second_(static_cast<std::size_t>(dimension)) {}

void DecayingAdam::step(std::span<double> values, std::span<const double> gradient) {
  const double share = static_cast<double>(done_) / static_cast<double>(steps_);
  const double rate = 0.5 * rate_ * (1.0 + std::cos(std::numbers::pi * share));
  const auto t = static_cast<double>(++done_);
  const double first_bias = 1.0 - std::pow(kFirstDecay, t);
  const double second_bias = 1.0 - std::pow(kSecondDecay, t);
  for (std::size_t d = 0; d < values.size(); ++d) {
    first_[d] += (1.0 - kFirstDecay) * (gradient[d] - first_[d]);
    second_[d] += (1.0 - kSecondDecay) * (gradient[d] * gradient[d] - second_[d]);
    values[d] -= rate * (first_[d] / first_bias) / (std::sqrt(second_[d] / second_bias) + kFloor);
  }
}

}  // namespace dubito
