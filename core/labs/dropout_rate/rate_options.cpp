// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/rate_options.h"

#include <algorithm>
#include <stdexcept>

#include "core/base/info_keys.h"
#include "core/labs/data/regression_data.h"
#include "core/labs/network/network_shape.h"

namespace dubito {

const std::vector<RateEstimatorInfo>& rateEstimators() {
  static const std::vector<RateEstimatorInfo> all{
      {RateEstimator::kScore, "score", "Score function",
       "Draws a mask and asks how much more probable a larger p would have made it, times how good "
       "it was. Unbiased but very noisy; at 0 and 1 only one mask is left and it vanishes: a trap.",
       "p ← p + λ ∇ log q(b) · (log p(y, W) − log q(b))"},
      {RateEstimator::kCoordinate, "coordinate", "Coordinate ascent",
       "Trains the weights under masks, but p on the error of the mean network. That error never "
       "rewards dropping a unit, so p runs to a boundary.",
       "p ← p − λ d/dp ½ Σ (y − f(x; p m))² / σ²"},
      {RateEstimator::kExact, "exact", "Exact gradient",
       "The gradient of the ELBO in closed form, which exists for one hidden layer. It shows where "
       "the score function would go without its noise.",
       "p ← p + λ d/dp ELBO(p)"},
      {RateEstimator::kConcrete, "concrete", "Concrete dropout",
       "Replaces each mask by a smooth one, through which the gradient flows, and moves the logit "
       "of p. Little noise, a small bias, and no boundary to stick to.",
       "logit p ← logit p + λ' d/d logit p (log p(y, b(p, u)) + …)"}};
  return all;
}

const RateEstimatorInfo& infoOf(RateEstimator estimator) {
  const auto found = std::ranges::find(rateEstimators(), estimator, &RateEstimatorInfo::id);
  if (found == rateEstimators().end()) {
    throw std::logic_error("infoOf: unknown estimator");
  }
  return *found;
}

std::vector<Field> DropoutRateOptions::fields() {
  const bool is_score = estimator == "score";
  const bool is_concrete = estimator == "concrete";
  return {
      field(&estimator, "estimator", "Gradient of p", "how the step of p is found",
            {.choices = infoKeys(rateEstimators())}),
      field(&starts, "starts", "Starting points",
            "number of values of p to start from, evenly spaced between 0 and 1",
            {.min = 1, .max = 19}),
      field(&rate_step, "rate_step", "Step size of p",
            "step size λ of p; halving it is a remedy against ending at 0 or 1",
            {.min = 1e-9, .max = 1.0}),
      field(&margin, "margin", "Distance from 0 and 1",
            "p is kept this far from 0 and 1; 0.05 is a remedy against ending there",
            {.min = 0.0,
             .max = 0.45,
             .unmet_requirement =
                 allUnless(!is_concrete, {setting("estimator", "score, coordinate or exact")})}),
      field(&baseline, "baseline", "Subtract a baseline",
            "subtract the running mean of the ELBO, which removes most of the noise of the "
            "score function and adds no bias",
            {.unmet_requirement = allUnless(is_score, {setting("estimator", "score")})}),
      field(&draws, "draws", "Masks per step", "number of masks per step, averaged",
            {.min = 1, .max = 100}),
      field(&concrete, "concrete", "Concrete dropout, too",
            "run concrete dropout from p = 0.5 for comparison",
            {.unmet_requirement =
                 allUnless(!is_concrete, {setting("estimator", "other than concrete")})}),
      field(&steps, "steps", "Steps", "number of steps of the weights and of p",
            {.min = 10, .max = 1e6}),
      field(&assumed_noise, "assumed_noise", "Assumed noise",
            "standard deviation of the noise of the likelihood, in the unit of y: that of "
            "the data is 10; the scale of the targets gives a plain half sum of squares",
            {.min = 0.1, .max = 1e5}),
      field(&prior_std, "prior_std", "Prior of the weights",
            "standard deviation of the Gaussian prior of every weight", {.min = 0.01, .max = 1e6}),
      field(&points, "points", "Points", "number of points of the data",
            {.min = static_cast<double>(kMinLabPoints), .max = 1000, .advanced = true}),
      field(&hidden, "hidden", "Hidden units",
            "number of hidden units, each of which has its own mask",
            {.min = 1, .max = static_cast<double>(kMaxHiddenUnits), .advanced = true}),
      field(&target_scale, "target_scale", "Scale of the targets",
            "the targets are divided by it before training",
            {.min = 1e-3, .max = 1e6, .advanced = true}),
      field(&optimiser, "optimiser", "Optimiser of the weights",
            "plain gradient steps as in the report, which leave the weights near their start "
            "for a long time, or Adam, which converges",
            {.choices = {"sgd", "adam"}}),
      field(&initial_std, "initial_std", "First output weights",
            "standard deviation of the output weights at the start: 1 is a draw from a "
            "standard Gaussian prior, 0.1 a small network that trains faster",
            {.min = 1e-6, .max = 100.0, .advanced = true}),
      field(&learning_rate, "learning_rate", "Learning rate", "step size of the weights",
            {.min = 1e-6, .max = 10.0, .advanced = true}),
      field(&grid_draws, "grid_draws", "Masks per grid point",
            "number of masks for each estimate of the ELBO on the grid",
            {.min = 2, .max = 10000, .advanced = true})};
}

}  // namespace dubito
