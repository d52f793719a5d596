// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/interpreter.h>

#include <cstdint>
#include <vector>

#include "core/train/head/fused_adam_torch.h"
#include "core/train/learned_dropout_torch.h"

namespace dubito {

/// The training items of a head.
struct HeadTensors {
  at::Tensor features;  ///< [N, Q] float32, on the CPU; may be mapped from a file
  at::Tensor labels;    ///< [N] int64, on the CPU
};

/// Steps of Adam on minibatches. On the CPU, the rows of a minibatch are split into parts that run
/// forwards and backwards on one thread each, because the steps of a head are too short to be
/// divided among threads one by one. Parts and masks, and thus the weights, do not depend on the
/// number of threads.
class HeadStep {
 public:
  /// `network` has keyed masks (buildHeadNetwork) and is on `device`, as are the parameters of
  /// `adam` and `learned`, which are all of its parameters. All must outlive the object.
  HeadStep(const HeadTensors& items, const torch::jit::Module& network, LearnedDropout& learned,
           FusedAdam& adam, std::uint64_t seed, at::Device device);

  /// Trains on the items `rows` [n] in `epoch`, which is the draw of their masks. `rate` is the
  /// learning rate, `share` its share of the initial one. Returns the sum of the cross entropies
  /// before the step, with dropout.
  double run(const at::Tensor& rows, std::int64_t epoch, double rate, double share);

 private:
  /// Results for a part of the rows.
  struct Part {
    double loss = 0.0;                  ///< sum of the cross entropies
    std::vector<at::Tensor> gradients;  ///< of the mean loss, by the parameters of adam_
    std::vector<at::Tensor> of_rates;   ///< by the logits of learned_
  };
  [[nodiscard]] Part partOf(const at::Tensor& rows, std::int64_t epoch, std::int64_t total,
                            bool with_penalty) const;

  const HeadTensors& items_;
  torch::jit::Module network_;
  torch::jit::Code code_;
  LearnedDropout& learned_;
  FusedAdam& adam_;
  std::int64_t seed_;
  at::Device device_;
};

}  // namespace dubito
