// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/options.h"
#include "core/labs/methods/regression_method.h"
#include "core/labs/network/network_shape.h"
#include "core/labs/sampling/item_likelihood.h"

namespace dubito {

/// The network whose posterior is wanted: 1 input, a hidden layer of tanh, 1 output.
struct PosteriorNetworkOptions {
  /// Hidden units, >= 1. [CHAN] uses 128.
  std::int64_t hidden_units = 128;
  /// Standard deviation of the priors of weights and biases, > 0. The weights of the output are
  /// narrower by sqrt(hidden_units), so that the prior of the function does not grow with the
  /// width.
  double prior_std = 2.0;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] NetworkShape shape() const;
  /// Network and prior, equal for equal options: RegressionMethod::posterior().
  [[nodiscard]] std::string text() const;
};

/// The posterior of that network given `problem`.
[[nodiscard]] std::shared_ptr<const DataPosterior> networkPosterior(
    const RegressionProblem& problem, const PosteriorNetworkOptions& options);

/// 1/sqrt of the prior precision of each parameter: natural widths of proposals.
[[nodiscard]] std::vector<double> priorWidths(const DataPosterior& posterior);

/// kInvalidArgument, with the remedy, if a gradient over `problem` would take too long to repeat
/// thousands of times.
[[nodiscard]] Status checkSizeForSampling(const RegressionProblem& problem);

}  // namespace dubito
