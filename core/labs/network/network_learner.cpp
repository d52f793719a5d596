// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/network_learner.h"

#include <algorithm>

#include "core/labs/network/portable_math.h"

namespace dubito {

NetworkLearner::NetworkLearner(RegressionProblem problem, NetworkShape shape,
                               TrainingSettings settings, std::vector<double> start,
                               std::uint64_t seed)
    : problem_(std::move(problem)),
      shape_(std::move(shape)),
      settings_(settings),
      seed_(seed),
      training_(std::move(start), problem_.size(), settings, seed, 0) {}

Status NetworkLearner::advance(std::int64_t units, RunContext& context) {
  const TrainingLoss loss_of_items = [this](std::span<const std::int64_t> items, std::uint32_t step,
                                            std::span<const double> parameters,
                                            std::span<double> gradient) {
    return loss(items, step, parameters, gradient);
  };
  const std::int64_t end = std::min(total(), done() + units);
  while (done() < end) {
    const Step step = context.step("training", done(), total());
    if (step == Step::kCancel) {
      return cancelled();
    }
    if (step == Step::kStopEarly) {
      return {};
    }
    if (Status status = training_.runEpoch(loss_of_items); !status) {
      return status;
    }
    onEpoch();
  }
  return {};
}

LabDiagnostics NetworkLearner::diagnostics() const {
  LabDiagnostics result;
  if (done() > 0) {
    result.numbers.push_back({"loss", "Loss", training_.lastLoss()});
    result.traces.push_back(training_.lossTrace());
  }
  return result;
}

std::span<const double> NetworkLearner::networkParameters() const {
  return std::span(training_.parameters()).first(static_cast<std::size_t>(shape_.parameterCount()));
}

RegressionBatch::RegressionBatch(const RegressionProblem& problem,
                                 std::span<const std::int64_t> items) {
  const std::int64_t inputs = std::ssize(problem.x) / std::ssize(problem.y);
  x.reserve(items.size() * static_cast<std::size_t>(inputs));
  y.reserve(items.size());
  for (const std::int64_t item : items) {
    const auto row = problem.x.begin() + item * inputs;
    x.insert(x.end(), row, row + inputs);
    y.push_back(problem.y[static_cast<std::size_t>(item)]);
  }
}

double meanSquaredLoss(const RegressionBatch& batch, double noise_std, const NetworkShape& shape,
                       std::span<const double> parameters, std::span<double> gradient,
                       InputScales scales) {
  const double scale = 1.0 / (noise_std * noise_std * static_cast<double>(batch.y.size()));
  double squares = 0.0;
  const auto loss = [&](std::int64_t first, std::span<const double> outputs,
                        std::span<double> output_gradient) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const double residual = outputs[i] - batch.y[static_cast<std::size_t>(first) + i];
      squares += residual * residual;
      output_gradient[i] = scale * residual;
    }
  };
  networkGradient(shape, parameters, batch.x, loss, gradient, scales);
  return 0.5 * scale * squares;
}

double heteroscedasticLoss(const RegressionBatch& batch, std::optional<double> fixed_log_variance,
                           const NetworkShape& shape, std::span<const double> parameters,
                           std::span<double> gradient, InputScales scales) {
  const double share = 1.0 / static_cast<double>(batch.y.size());
  double sum = 0.0;
  const auto loss = [&](std::int64_t first, std::span<const double> outputs,
                        std::span<double> output_gradient) {
    for (std::size_t i = 0; i < outputs.size(); i += 2) {
      const double residual = outputs[i] - batch.y[static_cast<std::size_t>(first) + i / 2];
      const double log_variance = fixed_log_variance.value_or(outputs[i + 1]);
      const double precision = portableExp(-log_variance);
      sum += 0.5 * (log_variance + precision * residual * residual);
      output_gradient[i] = share * precision * residual;
      output_gradient[i + 1] =
          fixed_log_variance ? 0.0 : 0.5 * share * (1.0 - precision * residual * residual);
    }
  };
  networkGradient(shape, parameters, batch.x, loss, gradient, scales);
  return share * sum;
}

Expected<Array<double>> functionDraws(
    std::int64_t draws, std::span<const double> x, RunContext& context,
    const std::function<void(std::int64_t draw, std::span<double> values)>& draw) {
  auto result = Array<double>::zeros({draws, std::ssize(x)});
  // Enough work per part to outweigh handing it to a thread.
  constexpr std::int64_t kDrawsPerPart = 8;
  context.parallelFor(draws, kDrawsPerPart, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end && !context.cancelRequested(); ++t) {
      draw(t, result.mutableRow(t));
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  return result;
}

RegressionPrediction singlePrediction(std::vector<double> mean, double noise_variance) {
  RegressionPrediction result;
  result.epistemic_variance.assign(mean.size(), 0.0);
  result.noise_variance.assign(mean.size(), noise_variance);
  result.mean = std::move(mean);
  return result;
}

}  // namespace dubito
