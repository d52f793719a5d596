// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/metropolis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dubito {

std::vector<Field> MetropolisOptions::fields() {
  return {
      field(&step_size, "step_size", "Step size",
            "standard deviation of a proposal; the first guess if it is adapted",
            {.min = 1e-8, .max = 1e4}),
      field(&adapt, "adapt", "Adapt step size",
            "change the step size in the warm-up until the target acceptance is reached"),
      field(&target_acceptance, "target_acceptance", "Target acceptance",
            "mean acceptance that the warm-up aims at",
            {.min = 0.05,
             .max = 0.95,
             .unmet_requirement = allUnless(adapt, {setting("adapt")}),
             .advanced = true}),
      field(&warm_up, "warm_up", "Warm-up",
            "transitions per chain that adapt and are not used as draws", {.min = 0, .max = 1e7}),
  };
}

MetropolisChain::MetropolisChain(std::shared_ptr<const LogDensity> density,
                                 const MetropolisOptions& options, std::vector<double> start,
                                 std::uint64_t seed, std::uint64_t chain, std::vector<double> scale)
    : density_(std::move(density)),
      options_(options),
      proposals_(seed, LabSite::kProposal, chain),
      acceptances_(seed, LabSite::kAcceptance, chain),
      scale_(std::move(scale)),
      position_(std::move(start)),
      proposal_(position_.size()),
      log_density_(density_->evaluate(position_, {})),
      averaging_(options.step_size, options.target_acceptance) {
  scale_.resize(position_.size(), 1.0);
}

double MetropolisChain::stepSize() const {
  if (!options_.adapt || done_ == 0) {
    return options_.step_size;
  }
  return done_ < options_.warm_up ? averaging_.step() : averaging_.averaged();
}

Transition MetropolisChain::advance(TransitionPath* path) {
  const auto draw = static_cast<std::uint32_t>(done_);
  const double step = stepSize();
  proposals_.normals(draw, proposal_);
  for (std::size_t d = 0; d < proposal_.size(); ++d) {
    proposal_[d] = position_[d] + step * scale_[d] * proposal_[d];
  }
  const double log_density = density_->evaluate(proposal_, {});

  Transition result;
  result.warm_up = done_ < options_.warm_up;
  result.divergent = std::isnan(log_density);
  result.acceptance = result.divergent ? 0.0 : std::min(1.0, std::exp(log_density - log_density_));
  result.accepted = acceptances_.uniform(draw) < result.acceptance;
  if (path != nullptr) {
    *path = TransitionPath::ofStep(position_, proposal_, result.accepted);
  }
  if (result.accepted) {
    position_.swap(proposal_);
    log_density_ = log_density;
  }
  result.energy = -log_density_;
  if (result.warm_up && options_.adapt) {
    averaging_.update(result.acceptance);
  }
  ++done_;
  return result;
}

}  // namespace dubito
