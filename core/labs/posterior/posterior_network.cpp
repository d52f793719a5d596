// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/posterior/posterior_network.h"

#include <fmt/format.h>

#include <cmath>

#include "core/labs/posterior/network_likelihood.h"

namespace dubito {
namespace {

constexpr std::int64_t kMaxPoints = 2000;

}  // namespace

std::vector<Field> PosteriorNetworkOptions::fields() {
  return {
      {{.name = "hidden_units",
        .label = "Hidden units",
        .help = "width of the hidden layer, with tanh",
        .min = 1,
        .max = static_cast<double>(kMaxHiddenUnits)},
       &hidden_units},
      {{.name = "prior_std",
        .label = "Prior spread",
        .help = "standard deviation of the priors of weights and biases, divided by the root of "
                "the width for weights of the output",
        .min = 1e-3,
        .max = 1e3},
       &prior_std},
  };
}

NetworkShape PosteriorNetworkOptions::shape() const {
  return {.inputs = 1, .hidden = {hidden_units}, .outputs = 1, .activation = Activation::kTanh};
}

std::string PosteriorNetworkOptions::text() const {
  return fmt::format("1-{}-1 tanh, prior spread {}", hidden_units, prior_std);
}

std::shared_ptr<const DataPosterior> networkPosterior(const RegressionProblem& problem,
                                                      const PosteriorNetworkOptions& options) {
  const NetworkPrior prior{.precision = 1.0 / (options.prior_std * options.prior_std),
                           .scaled_by_inputs = true};
  const NetworkShape shape = options.shape();
  return std::make_shared<DataPosterior>(std::make_shared<NetworkLikelihood>(problem, shape),
                                         prior.precisions(shape));
}

std::vector<double> priorWidths(const DataPosterior& posterior) {
  std::vector<double> widths;
  for (const double precision : posterior.priorPrecision()) {
    widths.push_back(1.0 / std::sqrt(precision));
  }
  return widths;
}

Status checkSizeForSampling(const RegressionProblem& problem) {
  if (problem.size() > kMaxPoints) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("This method passes over all {} points thousands of times; use at most "
                            "{} points",
                            problem.size(), kMaxPoints));
  }
  return {};
}

}  // namespace dubito
