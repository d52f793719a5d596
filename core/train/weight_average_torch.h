// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <deque>
#include <vector>

namespace dubito {

/// Mean of weights at several times of a training (SWA; Izmailov et al. 2018), and their spread as
/// a diagonal plus a low rank (SWAG; Maddox et al. 2019). Theory, section 15. Computed in double on
/// the weights' device.
class WeightAverage {
 public:
  /// `rank`: number of deviations kept, those of the last weights; 0: the mean only.
  explicit WeightAverage(std::int64_t rank) : rank_(rank) {}

  /// Adds the weights at one time: always the same tensors.
  void add(const std::vector<at::Tensor>& weights);
  [[nodiscard]] std::int64_t count() const { return count_; }

  /// Copies the mean to `weights`.
  void writeMean(const std::vector<at::Tensor>& weights) const;
  /// Copies sample `draw` to `weights`. It depends only on the seed, the draw and what was added.
  /// Requires a rank and a count of at least 2.
  void writeSample(const std::vector<at::Tensor>& weights, std::uint64_t seed,
                   std::int64_t draw) const;

  /// Everything, on the CPU.
  [[nodiscard]] c10::IValue state() const;
  /// Restores a state of an average of the same rank. Throws if it does not fit `weights`.
  void restore(const c10::IValue& state, const std::vector<at::Tensor>& weights);

 private:
  std::int64_t rank_;
  std::int64_t count_ = 0;
  at::Tensor mean_;                    ///< [P] double, all weights in one row
  at::Tensor squares_;                 ///< [P] sums of squared deviations from the mean
  std::deque<at::Tensor> deviations_;  ///< [P] each: weights - mean at that time
};

}  // namespace dubito
