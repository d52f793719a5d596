// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/decaying_adam.h"
#include "core/labs/sampling/item_likelihood.h"
#include "core/labs/sampling/loss_progress.h"
#include "core/labs/sampling/mean_field.h"

namespace dubito {

/// Estimate of the error loss E_q[-ln likelihood] and Graves' gradients of it.
struct GravesGradient {
  double loss = 0.0;
  std::vector<double> mean;  ///< [D] with respect to the mean
  /// [D] with respect to the variance: 1/(2S) sum_s sum_n (d loss_n/dw)^2, which stands for half
  /// the curvature. The squares are taken per item: the squared sum vanishes at an optimum.
  std::vector<double> variance;
};

/// Graves' gradients (2011, section 3) from draws w = mean + std * noise; `noise` [S, D] row-major,
/// S >= 1. Draws in parallel.
[[nodiscard]] GravesGradient gravesGradient(const DataPosterior& posterior,
                                            std::span<const double> mean,
                                            std::span<const double> std,
                                            std::span<const double> noise,
                                            const RunContext& context);

/// Graves' variational inference at work. The prior enters exactly, as KL(q || prior); the standard
/// deviations are learnt as their logarithms.
class GravesInference {
 public:
  /// The caller has called options.check() and checkStart(). `start`: mean [D]. The standard
  /// deviations begin at options.initial_std times the prior's.
  GravesInference(std::shared_ptr<const DataPosterior> posterior, const MeanFieldOptions& options,
                  std::vector<double> start, std::uint64_t seed);

  /// One step; does nothing after the last. The loss is not finite if the steps diverge.
  void step(const RunContext& context);
  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t total() const { return options_.steps; }
  /// Error loss plus KL(q || prior) of the last step, a noisy estimate; NaN before the first.
  [[nodiscard]] double loss() const { return loss_; }
  [[nodiscard]] MeanField result() const;
  /// How far the loss still fell in the second half of the steps; NaN before the last one.
  [[nodiscard]] LossProgress::Estimate progress() const { return fall_; }

 private:
  std::shared_ptr<const DataPosterior> posterior_;
  MeanFieldOptions options_;
  KeyedRandom noise_source_;
  std::vector<double> mean_;
  std::vector<double> log_std_;
  std::vector<double> noise_;
  DecayingAdam mean_optimizer_;
  DecayingAdam std_optimizer_;
  std::int64_t done_ = 0;
  double loss_;
  LossProgress progress_;
  LossProgress::Estimate fall_;
};

}  // namespace dubito
