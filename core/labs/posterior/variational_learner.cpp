// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/variational_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/nan.h"
#include "core/labs/posterior/network_likelihood.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Points of the curve of the loss, at most.
constexpr std::int64_t kLossPoints = 400;
/// Function draws of a prediction, at most.
constexpr std::int64_t kMaxFunctionDraws = 1000;

/// Share of the weights whose spread is at least nine tenths of the prior's.
double unlearntShare(const MeanField& field, std::span<const double> prior_precision) {
  std::size_t count = 0;
  for (std::size_t d = 0; d < field.std.size(); ++d) {
    count += field.std[d] * field.std[d] * prior_precision[d] > 0.81 ? 1U : 0U;
  }
  return static_cast<double>(count) / static_cast<double>(field.std.size());
}

}  // namespace

void addProgress(const LossProgress::Estimate& progress, bool has_ended,
                 LabDiagnostics& diagnostics) {
  diagnostics.converged = has_ended && isAtOptimum(progress);
  if (!has_ended) {
    return;
  }
  diagnostics.numbers.push_back(
      {"loss_progress", "Fall of the loss in the second half", progress.nats});
  if (!diagnostics.converged) {
    diagnostics.warnings.push_back(
        fmt::format("The fit has not converged: in the second half of its steps, the loss still "
                    "fell by {:.3g} nats; take more steps",
                    progress.nats));
  }
}

VariationalLearner::VariationalLearner(RegressionProblem problem, NetworkShape shape,
                                       std::shared_ptr<const DataPosterior> posterior,
                                       std::unique_ptr<VariationalInference> inference,
                                       std::uint64_t seed)
    : problem_(std::move(problem)),
      shape_(std::move(shape)),
      posterior_(std::move(posterior)),
      inference_(std::move(inference)),
      seed_(seed),
      steps_per_point_((inference_->total() + kLossPoints - 1) / kLossPoints) {}

Status VariationalLearner::advance(std::int64_t units, RunContext& context) {
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
    loss_sum_ += inference_->loss();
    if (done() % steps_per_point_ == 0) {
      losses_.push_back(loss_sum_ / static_cast<double>(steps_per_point_));
      loss_sum_ = 0.0;
    }
  }
  return {};
}

Expected<RegressionPrediction> VariationalLearner::predict(std::span<const double> x,
                                                           std::int64_t max_draws,
                                                           RunContext& context) const {
  const MeanField field = inference_->result();
  const std::int64_t draws = std::clamp<std::int64_t>(max_draws, 1, kMaxFunctionDraws);
  const KeyedRandom noise(seed_, LabSite::kFunctionDraw);
  auto weights = Array<double>::zeros({draws, shape_.parameterCount()});
  std::vector<double> normals(field.mean.size());
  for (std::int64_t t = 0; t < draws; ++t) {
    noise.normals(static_cast<std::uint32_t>(t), normals);
    drawOf(field.mean, field.std, normals, 0, weights.mutableRow(t));
  }
  return predictionOfDraws(functionsOf(shape_, weights, x, context), {},
                           problem_.noise_std * problem_.noise_std);
}

LabDiagnostics VariationalLearner::diagnostics() const {
  LabDiagnostics result;
  if (!losses_.empty()) {
    result.numbers.push_back({"loss", "Loss", losses_.back()});
  }
  const double unlearnt = unlearntShare(inference_->result(), posterior_->priorPrecision());
  result.numbers.push_back({"unlearnt", "Share of weights at the prior", unlearnt});
  addProgress(inference_->progress(), done() == total(), result);
  Curve curve{.name = "Loss", .x = {}, .y = losses_, .summary = kNaN};
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    curve.x.push_back(static_cast<double>(static_cast<std::int64_t>(i + 1) * steps_per_point_));
  }
  result.traces.push_back(std::move(curve));
  return result;
}

}  // namespace dubito
