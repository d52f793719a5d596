// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/dropout_masks.h"
#include "core/labs/network/network_pass.h"

namespace dubito {

/// A relaxed dropout mask of one unit (Gal, Hron and Kendall 2017), with drop rate p.
struct ConcreteMask {
  double dropped = 0.0;           ///< z in (0, 1), near 1 if the unit is dropped
  double factor = 0.0;            ///< (1 - z) / (1 - p)
  double slope_of_dropped = 0.0;  ///< dz / d logit p
  double slope_of_factor = 0.0;   ///< d factor / d logit p
};

/// 1 / (1 + e^-x), without overflow.
[[nodiscard]] double sigmoid(double x);

/// A drop rate p and what follows from it, computed once for many masks.
struct ConcreteRate {
  explicit ConcreteRate(double logit_of_rate);
  /// z = sigmoid((logit p + logit u) / 0.1) for a uniform number u in (0, 1).
  [[nodiscard]] ConcreteMask mask(double u) const;

  double logit;
  double dropped;  ///< p
  double kept;     ///< 1 - p, precise for p near 1
};

/// The regulariser of one layer with drop rates p_i = sigmoid(logits[i]) on its inputs, to be added
/// to the mean negative log-likelihood (theory, section 4):
/// sum_i weight_reg |V_:i|^2 / (1 - p_i) + dropout_reg (p_i log p_i + (1 - p_i) log(1 - p_i)),
/// with weight_reg = l^2 / (2 N), dropout_reg = 1 / N. One rate for the whole layer is the same
/// with equal p_i.
struct ConcretePenalty {
  double length_scale = 1.0;  ///< l > 0
  double items = 1.0;         ///< N

  [[nodiscard]] double weightReg() const { return length_scale * length_scale / (2.0 * items); }

  /// Value for stored weights [outputs, inputs]; adds the gradients in the weights and in the
  /// logits [inputs].
  double add(std::span<const double> weights, std::span<const double> logits,
             std::span<double> weight_gradient, std::span<double> logit_gradient) const;
};

/// Concrete dropout on the hidden layers of a network. The trained vector has the parameters of the
/// network, then the logits of the drop rates: one per hidden layer, or one per hidden unit.
class ConcreteLayers {
 public:
  ConcreteLayers(const NetworkShape& shape, bool one_rate_per_unit, std::uint64_t seed);

  /// `network` [P], then the logits, all of `initial_rate`.
  [[nodiscard]] std::vector<double> start(std::vector<double> network, double initial_rate) const;

  /// Masks for a training step, one per item of a batch.
  [[nodiscard]] InputScales ofStep(std::uint32_t step, std::int64_t items,
                                   std::span<const double> parameters);
  /// Writes the gradient in the logits of the loss whose networkGradient() had the scales of the
  /// last ofStep() to the end of `gradient`.
  void writeLogitGradient(std::span<double> gradient) const;
  /// Adds the gradient of the regulariser, see ConcretePenalty, and returns its value. The first
  /// layer and the biases have no dropout and the weight decay of drop rate 0.
  double addPenalty(double length_scale, double items, std::span<const double> parameters,
                    std::span<double> gradient) const;

  /// Factors [inputs of the layer] of function draw `draw`, one vector per layer; that of the first
  /// is empty.
  [[nodiscard]] std::vector<std::vector<double>> ofFunction(
      std::uint32_t draw, std::span<const double> parameters) const;
  /// Mean drop rate of the inputs of `layer` >= 1.
  [[nodiscard]] double meanRate(std::int64_t layer, std::span<const double> parameters) const;

 private:
  struct LayerMasks {
    std::vector<double> factors;
    std::vector<double> slopes;    ///< of the factors in the logits
    std::vector<double> gradient;  ///< of the loss in the factors
  };

  /// Position of the logit for input `i` of `layer` among the parameters.
  [[nodiscard]] std::size_t logitOf(std::int64_t layer, std::size_t i) const;
  /// Drop rates of the inputs of `layer`.
  [[nodiscard]] std::vector<ConcreteRate> ratesOf(std::int64_t layer,
                                                  std::span<const double> parameters) const;

  NetworkShape shape_;
  bool one_rate_per_unit_;
  DropoutMasks masks_;
  std::vector<LayerMasks> layers_;
  std::vector<InputScale> scales_;
};

}  // namespace dubito
