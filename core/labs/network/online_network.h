// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/labs/network/network_pass.h"
#include "core/labs/network/training.h"

namespace dubito {

/// Items of which one output each was observed: the reward of the arm that was pulled, the value of
/// the action that was taken.
struct ObservedBatch {
  std::vector<double> inputs;         ///< [N, D]
  std::vector<std::int64_t> outputs;  ///< [N] index of the observed output
  std::vector<double> targets;        ///< [N]
  std::vector<double> weights;        ///< [N] weight of each item in the loss; empty: all 1

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(targets.size()); }
  void clear();
};

/// A network that learns by minibatches whose data come while it learns, with Adam and a constant
/// learning rate.
class OnlineNetwork {
 public:
  /// Starts from initialParameters(shape, seed, stream).
  OnlineNetwork(NetworkShape shape, double learning_rate, std::uint64_t seed, std::uint64_t stream);

  /// One step on the mean over items of 1/2 weight (f_output(x) - target)^2, with `scales` per item
  /// (dropout masks) or none. Returns that loss before the step.
  double step(const ObservedBatch& batch, InputScales scales = {});

  /// Writes the outputs [N, outputs] at `inputs` [N, D].
  void outputs(std::span<const double> inputs, std::span<double> values,
               InputScales scales = {}) const;
  [[nodiscard]] const NetworkShape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }
  /// Steps so far.
  [[nodiscard]] std::uint32_t steps() const { return steps_; }

 private:
  NetworkShape shape_;
  double learning_rate_;
  std::vector<double> parameters_;
  std::vector<double> gradient_;
  Adam adam_;
  std::uint32_t steps_ = 0;
};

/// Writes the values [N, H] of the last hidden layer, H units wide, at `inputs` [N, D].
void lastHiddenLayer(const NetworkShape& shape, std::span<const double> parameters,
                     std::span<const double> inputs, std::span<double> values);

}  // namespace dubito
