// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/labs/network/network_shape.h"

namespace dubito {

// All functions are thread-safe and give the same bits on every instruction set: sums over weights
// run in the order of the weights, sums over items add item n to partial sum n mod 8 and then the
// partial sums in a fixed order. They throw std::invalid_argument if the length of a span does not
// match.

/// Factors on the inputs of one layer, such as a dropout mask.
struct InputScale {
  /// One factor per input of the layer, for all items; or per item, [N, inputs] row-major; or
  /// empty, which changes nothing.
  std::span<const double> factors = {};
  bool per_item = false;
  /// If not empty: receives the gradient of the loss with respect to each factor, in the layout of
  /// `factors`. Only networkGradient() fills it.
  std::span<double> gradient = {};
};

/// One InputScale per layer, or none at all.
using InputScales = std::span<const InputScale>;

/// Writes the outputs [N, outputs] of the network at `inputs` [N, inputs].
void networkOutputs(const NetworkShape& shape, std::span<const double> parameters,
                    std::span<const double> inputs, std::span<double> outputs,
                    InputScales scales = {});

/// Fills the gradient of a loss with respect to the outputs, for a few consecutive items:
/// `outputs` and `gradient` are [n, outputs], `first` is the index of the first item. Called in the
/// order of items.
using OutputLoss = std::function<void(std::int64_t first, std::span<const double> outputs,
                                      std::span<double> gradient)>;

/// Writes the gradient [P] of a loss, summed over the items, with respect to the parameters, by
/// backpropagation: sum_n sum_k dL/df_nk df_nk/dq.
void networkGradient(const NetworkShape& shape, std::span<const double> parameters,
                     std::span<const double> inputs, const OutputLoss& loss,
                     std::span<double> gradient, InputScales scales = {});
/// The same for given gradients [N, outputs] of the loss with respect to the outputs.
void networkGradient(const NetworkShape& shape, std::span<const double> parameters,
                     std::span<const double> inputs, std::span<const double> output_gradient,
                     std::span<double> gradient, InputScales scales = {});

/// Writes the Jacobians [N, outputs, P] of the outputs with respect to the parameters.
void networkJacobians(const NetworkShape& shape, std::span<const double> parameters,
                      std::span<const double> inputs, std::span<double> jacobians,
                      InputScales scales = {});

}  // namespace dubito
