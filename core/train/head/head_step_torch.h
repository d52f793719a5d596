// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/train/head/fused_adam_torch.h"
#include "core/train/head/head_pass_torch.h"
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
  /// The network of `pass` is on `device`; `adam` has its parameters(), and `learned` its rates.
  /// All must outlive the object.
  HeadStep(const HeadTensors& items, const HeadPass& pass, LearnedDropout& learned, FusedAdam& adam,
           std::uint64_t seed, at::Device device);

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
  [[nodiscard]] Part partOf(const at::Tensor& rows, std::int64_t epoch, std::int64_t total) const;
  /// Adds the gradients of the penalty of the learned rates.
  void addPenalty(Part& part) const;

  const HeadTensors& items_;
  const HeadPass& pass_;
  LearnedDropout& learned_;
  FusedAdam& adam_;
  std::vector<std::size_t> places_;     ///< of the parameters of adam_ among those of pass_
  std::vector<std::size_t> penalised_;  ///< of the weights of learned_ among those of adam_
  std::int64_t seed_;
  at::Device device_;
};

}  // namespace dubito
