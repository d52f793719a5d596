// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/concrete_layers.h"

#include <algorithm>
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
  const double weight_reg = weightReg();
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

ConcreteLayers::ConcreteLayers(const NetworkShape& shape, bool one_rate_per_unit,
                               std::uint64_t seed)
    : shape_(shape),
      one_rate_per_unit_(one_rate_per_unit),
      masks_(shape, seed),
      layers_(static_cast<std::size_t>(shape.layerCount())),
      scales_(layers_.size()) {}

std::vector<double> ConcreteLayers::start(std::vector<double> network, double initial_rate) const {
  const double logit = std::log(initial_rate) - std::log1p(-initial_rate);
  for (const std::int64_t units : shape_.hidden) {
    network.insert(network.end(), static_cast<std::size_t>(one_rate_per_unit_ ? units : 1), logit);
  }
  return network;
}

std::size_t ConcreteLayers::logitOf(std::int64_t layer, std::size_t i) const {
  auto position = static_cast<std::size_t>(shape_.parameterCount());
  if (!one_rate_per_unit_) {
    return position + static_cast<std::size_t>(layer - 1);
  }
  for (std::int64_t before = 1; before < layer; ++before) {
    position += static_cast<std::size_t>(shape_.inputsOf(before));
  }
  return position + i;
}

std::vector<ConcreteRate> ConcreteLayers::ratesOf(std::int64_t layer,
                                                  std::span<const double> parameters) const {
  std::vector<ConcreteRate> rates;
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape_.inputsOf(layer)); ++i) {
    rates.emplace_back(parameters[logitOf(layer, i)]);
  }
  return rates;
}

double ConcreteLayers::meanRate(std::int64_t layer, std::span<const double> parameters) const {
  double sum = 0.0;
  for (const ConcreteRate& rate : ratesOf(layer, parameters)) {
    sum += rate.dropped;
  }
  return sum / static_cast<double>(shape_.inputsOf(layer));
}

InputScales ConcreteLayers::ofStep(std::uint32_t step, std::int64_t items,
                                   std::span<const double> parameters) {
  for (std::int64_t layer = 1; layer < shape_.layerCount(); ++layer) {
    LayerMasks& masks = layers_[static_cast<std::size_t>(layer)];
    const auto width = static_cast<std::size_t>(shape_.inputsOf(layer));
    const std::size_t size = static_cast<std::size_t>(items) * width;
    masks.factors.resize(size);
    masks.slopes.resize(size);
    masks.gradient.resize(size);
    masks_.uniformsOfStep(layer, step, masks.factors);
    const std::vector<ConcreteRate> rates = ratesOf(layer, parameters);
    for (std::size_t at = 0; at < size; ++at) {
      const ConcreteMask mask = rates[at % width].mask(masks.factors[at]);
      masks.factors[at] = mask.factor;
      masks.slopes[at] = mask.slope_of_factor;
    }
    scales_[static_cast<std::size_t>(layer)] = {
        .factors = masks.factors, .per_item = true, .gradient = masks.gradient};
  }
  return scales_;
}

void ConcreteLayers::writeLogitGradient(std::span<double> gradient) const {
  std::ranges::fill(gradient.subspan(static_cast<std::size_t>(shape_.parameterCount())), 0.0);
  for (std::int64_t layer = 1; layer < shape_.layerCount(); ++layer) {
    const LayerMasks& masks = layers_[static_cast<std::size_t>(layer)];
    const auto width = static_cast<std::size_t>(shape_.inputsOf(layer));
    for (std::size_t at = 0; at < masks.factors.size(); ++at) {
      gradient[logitOf(layer, at % width)] += masks.gradient[at] * masks.slopes[at];
    }
  }
}

double ConcreteLayers::addPenalty(double length_scale, double items,
                                  std::span<const double> parameters,
                                  std::span<double> gradient) const {
  const ConcretePenalty penalty{length_scale, items};
  const double weight_reg = penalty.weightReg();
  double value = 0.0;
  const auto decay = [&](std::int64_t first, std::int64_t count) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + count);
         ++i) {
      value += weight_reg * parameters[i] * parameters[i];
      gradient[i] += 2.0 * weight_reg * parameters[i];
    }
  };
  for (std::int64_t layer = 0; layer < shape_.layerCount(); ++layer) {
    const std::int64_t first = shape_.firstWeightOf(layer);
    const std::int64_t weights = shape_.inputsOf(layer) * shape_.outputsOf(layer);
    decay(shape_.firstBiasOf(layer), shape_.outputsOf(layer));
    if (layer == 0) {
      decay(first, weights);
      continue;
    }
    const auto width = static_cast<std::size_t>(shape_.inputsOf(layer));
    std::vector<double> logits(width);
    for (std::size_t i = 0; i < width; ++i) {
      logits[i] = parameters[logitOf(layer, i)];
    }
    std::vector<double> logit_gradient(width);
    const auto at = static_cast<std::size_t>(first);
    const auto count = static_cast<std::size_t>(weights);
    value += penalty.add(parameters.subspan(at, count), logits, gradient.subspan(at, count),
                         logit_gradient);
    for (std::size_t i = 0; i < width; ++i) {
      gradient[logitOf(layer, i)] += logit_gradient[i];
    }
  }
  return value;
}

std::vector<std::vector<double>> ConcreteLayers::ofFunction(
    std::uint32_t draw, std::span<const double> parameters) const {
  std::vector<std::vector<double>> factors(layers_.size());
  for (std::int64_t layer = 1; layer < shape_.layerCount(); ++layer) {
    std::vector<double>& values = factors[static_cast<std::size_t>(layer)];
    values.resize(static_cast<std::size_t>(shape_.inputsOf(layer)));
    masks_.uniformsOfFunction(layer, draw, values);
    const std::vector<ConcreteRate> rates = ratesOf(layer, parameters);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = rates[i].mask(values[i]).factor;
    }
  }
  return factors;
}

}  // namespace dubito
