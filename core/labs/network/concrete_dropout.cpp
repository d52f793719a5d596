// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/concrete_dropout.h"

#include <cmath>

#include "core/labs/network/portable_math.h"

namespace dubito {
namespace {

constexpr double kTemperature = 0.1;

}  // namespace

double sigmoid(double x) {
  return 1.0 / (1.0 + portableExp(-x));
}

ConcreteRate::ConcreteRate(double logit_of_rate)
    : logit(logit_of_rate), dropped(sigmoid(logit_of_rate)), kept(sigmoid(-logit_of_rate)) {}

ConcreteMask ConcreteRate::mask(double u) const {
  const double position = (logit + std::log(u / (1.0 - u))) / kTemperature;
  // From the smaller of z and 1 - z, so that neither loses digits.
  const double power = portableExp(-std::abs(position));
  const double larger = 1.0 / (1.0 + power);
  const double smaller = power / (1.0 + power);
  ConcreteMask result;
  result.dropped = position > 0.0 ? larger : smaller;
  const double kept_share = position > 0.0 ? smaller : larger;
  result.factor = kept_share / kept;
  result.slope_of_dropped = larger * smaller / kTemperature;
  // d(1 - p) / d logit = -p (1 - p).
  result.slope_of_factor = (kept_share * dropped - result.slope_of_dropped) / kept;
  return result;
}

double ConcretePenalty::add(std::span<const double> weights, std::span<const double> logits,
                            std::span<double> weight_gradient,
                            std::span<double> logit_gradient) const {
  const double weight_reg = length_scale * length_scale / (2.0 * items);
  const double dropout_reg = 1.0 / items;
  const std::size_t inputs = logits.size();
  double value = 0.0;
  for (std::size_t i = 0; i < inputs; ++i) {
    const double p = sigmoid(logits[i]);
    const double kept = sigmoid(-logits[i]);
    double squares = 0.0;
    for (std::size_t at = i; at < weights.size(); at += inputs) {
      squares += weights[at] * weights[at];
      weight_gradient[at] += 2.0 * weight_reg * weights[at] / kept;
    }
    value += weight_reg * squares / kept + dropout_reg * (p * std::log(p) + kept * std::log(kept));
    // d/dp of the entropy part is log p - log(1 - p), the logit; dp / d logit = p (1 - p).
    logit_gradient[i] += weight_reg * squares * p / kept + dropout_reg * logits[i] * p * kept;
  }
  return value;
}

}  // namespace dubito
