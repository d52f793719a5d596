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

ConcreteMask concreteMask(double logit, double u) {
  const double position = (logit + std::log(u) - std::log1p(-u)) / kTemperature;
  const double z = sigmoid(position);
  // Not 1 - z, which is 0 long before the unit's share vanishes.
  const double kept = sigmoid(-position);
  const double p = sigmoid(logit);
  const double p_kept = sigmoid(-logit);
  ConcreteMask mask;
  mask.dropped = z;
  mask.factor = kept / p_kept;
  mask.slope_of_dropped = z * kept / kTemperature;
  // d(1 - p) / d logit = -p (1 - p).
  mask.slope_of_factor = (kept * p - mask.slope_of_dropped) / p_kept;
  return mask;
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
