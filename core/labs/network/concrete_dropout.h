// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

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

  /// Value for stored weights [outputs, inputs]; adds the gradients in the weights and in the
  /// logits [inputs].
  double add(std::span<const double> weights, std::span<const double> logits,
             std::span<double> weight_gradient, std::span<double> logit_gradient) const;
};

}  // namespace dubito
