// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/labs/methods/lab_method.h"
#include "core/labs/network/drawn_learner.h"
#include "core/labs/network/network_shape.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/mean_field.h"

namespace dubito {

/// Adds the loss of a variational fit to its diagnostics, the evidence lower bound, which is its
/// negative, and the course of that over the steps, given as `losses`.
void addElbo(double loss, Curve losses, LabDiagnostics& diagnostics);

/// Adds to the diagnostics of a variational fit how far its loss still fell in the second half, and
/// a warning if it has ended without having converged.
void addProgress(const LossProgress::Estimate& progress, bool has_ended,
                 LabDiagnostics& diagnostics);

/// A Gaussian with independent weights of a network at work; a unit is a gradient step.
template <class LearnedTask>
class VariationalLearner : public WeightsLearner<LearnedTask> {
 public:
  /// `max_draws`: largest number of functions of a prediction.
  VariationalLearner(typename LearnedTask::Problem problem, NetworkShape shape,
                     std::unique_ptr<MeanFieldInference> inference, std::int64_t max_draws,
                     std::uint64_t seed)
      : WeightsLearner<LearnedTask>(std::move(problem), std::move(shape)),
        inference_(std::move(inference)),
        max_draws_(max_draws),
        seed_(seed) {}

  [[nodiscard]] std::int64_t done() const override { return inference_->done(); }
  [[nodiscard]] std::int64_t total() const override { return inference_->total(); }
  /// kInvalidArgument, with the remedy, if the loss is not finite.
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context) override {
    const std::int64_t end = std::min(total(), done() + units);
    while (done() < end) {
      if (context.step("Variational inference", done(), end) == Step::kCancel) {
        return cancelled();
      }
      inference_->step(context);
      if (!std::isfinite(inference_->loss())) {
        return fail(ErrorCode::kInvalidArgument,
                    "The variational loss is not finite; use a smaller learning rate");
      }
      recordLoss(inference_->loss());
    }
    return {};
  }

 protected:
  /// Called with the loss of each step.
  virtual void recordLoss(double loss) = 0;

  [[nodiscard]] Array<double> drawnWeights(std::int64_t max_draws) const override {
    const MeanField field = inference_->result();
    const KeyedRandom noise(seed_, LabSite::kFunctionDraw);
    auto weights = Array<double>::zeros(
        {std::clamp<std::int64_t>(max_draws, 1, max_draws_), this->shape().parameterCount()});
    std::vector<double> normals(field.mean.size());
    for (std::int64_t t = 0; t < weights.extent(0); ++t) {
      noise.normals(static_cast<std::uint32_t>(t), normals);
      drawOf(field.mean, field.std, normals, 0, weights.mutableRow(t));
    }
    return weights;
  }
  [[nodiscard]] const MeanFieldInference& inference() const { return *inference_; }

 private:
  std::unique_ptr<MeanFieldInference> inference_;
  std::int64_t max_draws_;
  std::uint64_t seed_;
};

}  // namespace dubito
