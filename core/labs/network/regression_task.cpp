// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/regression_task.h"

#include <utility>

#include "core/labs/network/portable_math.h"

namespace dubito {

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

RegressionPrediction singlePrediction(std::vector<double> mean, double noise_variance) {
  RegressionPrediction result;
  result.epistemic_variance.assign(mean.size(), 0.0);
  result.noise_variance.assign(mean.size(), noise_variance);
  result.mean = std::move(mean);
  return result;
}

RegressionPrediction RegressionTask::prediction(const RegressionProblem& problem,
                                                Array<double> draws, bool is_one_function,
                                                const RunContext& /*context*/) {
  const double noise = problem.noise_std * problem.noise_std;
  if (is_one_function) {
    const auto mean = draws.row(0);
    return singlePrediction({mean.begin(), mean.end()}, noise);
  }
  return predictionOfDraws(std::move(draws), {}, noise);
}

}  // namespace dubito
