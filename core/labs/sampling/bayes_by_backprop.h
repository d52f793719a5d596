// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/decaying_adam.h"
#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/loss_progress.h"
#include "core/labs/sampling/mean_field.h"

namespace dubito {

/// ln(1 + e^rho), and its inverse for std > 0.
[[nodiscard]] double softplus(double rho);
[[nodiscard]] double inverseSoftplus(double std);

/// Estimate of the variational loss E_q[ln q(w) - ln p(w)] and its gradients.
struct BbbGradient {
  double loss = 0.0;
  std::vector<double> mean;  ///< [D] with respect to the mean
  std::vector<double> rho;   ///< [D] with respect to rho, std = softplus(rho)
};

/// The loss and gradients of Bayes by Backprop (Blundell et al. 2015), averaged over the draws
/// w = mean + softplus(rho) * noise; `noise` [S, D] row-major, S >= 1. The density is ln prior +
/// ln likelihood. Draws in parallel.
[[nodiscard]] BbbGradient bbbGradient(const LogDensity& density, std::span<const double> mean,
                                      std::span<const double> rho, std::span<const double> noise,
                                      const RunContext& context);

/// Bayes by Backprop at work: step by step towards the MeanField with the smallest KL(q || p).
class BayesByBackprop {
 public:
  /// The caller has called options.check() and checkStart(). `start`: mean [D]; `scale` [D]:
  /// multiplies options.initial_std; empty: 1.
  BayesByBackprop(std::shared_ptr<const LogDensity> density, const MeanFieldOptions& options,
                  std::vector<double> start, std::uint64_t seed, std::vector<double> scale = {});

  /// One step; does nothing after the last. The loss is not finite if the steps diverge.
  void step(const RunContext& context);
  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t total() const { return options_.steps; }
  /// Loss of the last step, a noisy estimate; NaN before the first.
  [[nodiscard]] double loss() const { return loss_; }
  [[nodiscard]] MeanField result() const;
  /// How far the loss still fell in the second half of the steps; NaN before the last one.
  [[nodiscard]] LossProgress::Estimate progress() const { return fall_; }

 private:
  std::shared_ptr<const LogDensity> density_;
  MeanFieldOptions options_;
  KeyedRandom noise_source_;
  std::vector<double> mean_;
  std::vector<double> rho_;
  std::vector<double> noise_;
  DecayingAdam mean_optimizer_;
  DecayingAdam rho_optimizer_;
  std::int64_t done_ = 0;
  double loss_;
  LossProgress progress_;
  LossProgress::Estimate fall_;
};

}  // namespace dubito
