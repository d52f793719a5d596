// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <vector>

namespace dubito {

/// Adam with L2 weight decay (Kingma and Ba 2015), as torch::optim::Adam up to rounding. A step
/// passes once over gradients, moments and weights, where torch's passes a dozen times, and runs on
/// all threads at once. The number of threads does not change a bit of the result.
class FusedAdam {
 public:
  /// `groups` have torch::optim::AdamOptions without AMSGrad; their parameters are contiguous and
  /// on the same device.
  explicit FusedAdam(const std::vector<torch::optim::OptimizerParamGroup>& groups);

  /// Those of all groups, one after the other.
  [[nodiscard]] const std::vector<at::Tensor>& parameters() const { return parameters_; }

  /// Moves the parameters at the learning rate `rate`. The gradient of parameter i is the sum over
  /// j of parts[j][i], contiguous and of its size, in the order of j; the parts are overwritten.
  void step(const std::vector<std::vector<at::Tensor>>& parts, double rate);

 private:
  /// Some consecutive elements of a parameter, with their state.
  struct Slice {
    std::size_t parameter = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    at::Tensor values;
    at::Tensor mean;    ///< of the gradients
    at::Tensor square;  ///< mean of their squares
  };
  /// Of a parameter.
  struct Settings {
    double weight_decay = 0.0;
    double beta1 = 0.0;
    double beta2 = 0.0;
    double eps = 0.0;
  };

  void move(const Slice& slice, const std::vector<std::vector<at::Tensor>>& parts, double rate);

  std::vector<at::Tensor> parameters_;
  std::vector<Settings> settings_;  ///< per parameter
  std::vector<Slice> slices_;       ///< of all parameters
  at::Tensor steps_;
};

}  // namespace dubito
