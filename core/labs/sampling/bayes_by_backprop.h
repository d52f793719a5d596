// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/sampling/log_density.h"
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

/// Bayes by Backprop at work.
class BayesByBackprop : public MeanFieldInference {
 public:
  /// The caller has called checkStart(). `start`: mean [D]; `scale` [D]: multiplies
  /// options.initial_std; empty: 1.
  BayesByBackprop(std::shared_ptr<const LogDensity> density, const MeanFieldOptions& options,
                  std::vector<double> start, std::uint64_t seed, std::vector<double> scale = {});

 private:
  [[nodiscard]] Gradient gradientAt(std::span<const double> mean, std::span<const double> rho,
                                    std::span<const double> noise,
                                    const RunContext& context) const override;
  [[nodiscard]] std::vector<double> stdOf(std::span<const double> rho) const override;

  std::shared_ptr<const LogDensity> density_;
};

}  // namespace dubito
