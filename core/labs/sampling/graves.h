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

/// Graves' variational inference at work; the loss is the error loss plus KL(q || prior). The prior
/// enters exactly, and the standard deviations are learnt as their logarithms.
class GravesInference : public MeanFieldInference {
 public:
  /// The caller has called checkStart(). `start`: mean [D]. The standard deviations begin at
  /// options.initial_std times the prior's.
  GravesInference(std::shared_ptr<const DataPosterior> posterior, const MeanFieldOptions& options,
                  std::vector<double> start, std::uint64_t seed);

 private:
  [[nodiscard]] Gradient gradientAt(std::span<const double> mean, std::span<const double> log_std,
                                    std::span<const double> noise,
                                    const RunContext& context) const override;
  [[nodiscard]] std::vector<double> stdOf(std::span<const double> log_std) const override;

  std::shared_ptr<const DataPosterior> posterior_;
};

}  // namespace dubito
