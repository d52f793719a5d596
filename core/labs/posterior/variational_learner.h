// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_shape.h"
#include "core/labs/sampling/item_likelihood.h"
#include "core/labs/sampling/loss_progress.h"
#include "core/labs/sampling/mean_field.h"

namespace dubito {

/// Variational inference of a network, of either kind, as seen from outside.
class VariationalInference {
 public:
  virtual ~VariationalInference() = default;
  virtual void step(const RunContext& context) = 0;
  [[nodiscard]] virtual std::int64_t done() const = 0;
  [[nodiscard]] virtual std::int64_t total() const = 0;
  [[nodiscard]] virtual double loss() const = 0;
  [[nodiscard]] virtual MeanField result() const = 0;
  [[nodiscard]] virtual LossProgress::Estimate progress() const = 0;
};

/// Adds to the diagnostics of a variational fit how far its loss still fell in the second half, and
/// a warning if it has ended without having converged.
void addProgress(const LossProgress::Estimate& progress, bool has_ended,
                 LabDiagnostics& diagnostics);

/// A Gaussian with independent weights of a network at work; a unit is a gradient step.
class VariationalLearner : public RegressionLearner {
 public:
  VariationalLearner(RegressionProblem problem, NetworkShape shape,
                     std::shared_ptr<const DataPosterior> posterior,
                     std::unique_ptr<VariationalInference> inference, std::uint64_t seed);

  [[nodiscard]] std::int64_t done() const override { return inference_->done(); }
  [[nodiscard]] std::int64_t total() const override { return inference_->total(); }
  /// kInvalidArgument, with the remedy, if the loss is not finite.
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override;
  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t max_draws,
                                                       RunContext& context) const override;
  [[nodiscard]] LabDiagnostics diagnostics() const override;

 private:
  RegressionProblem problem_;
  NetworkShape shape_;
  std::shared_ptr<const DataPosterior> posterior_;
  std::unique_ptr<VariationalInference> inference_;
  std::uint64_t seed_;
  /// Mean loss of `steps_per_point_` steps each.
  std::vector<double> losses_;
  std::int64_t steps_per_point_;
  double loss_sum_ = 0.0;
};

}  // namespace dubito
