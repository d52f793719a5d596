// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/leapfrog.h"
#include "core/labs/sampling/leapfrog_step_size.h"
#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Options of the no-U-turn sampler.
struct NutsOptions {
  /// Doublings of a trajectory, at most: 1023 leapfrog steps.
  static constexpr std::int64_t kMaxTreeDepth = 10;

  /// Leapfrog step size, > 0; with `adapt` only the first guess.
  double step_size = 0.1;
  /// Whether the warm-up adapts the step size to `target_acceptance`.
  bool adapt = true;
  /// Mean acceptance to adapt to, in (0, 1).
  double target_acceptance = 0.8;
  /// Transitions that adapt and are not draws, >= 0.
  std::int64_t warm_up = 500;
};

/// One chain of the no-U-turn sampler with multinomial sampling from the trajectory (Hoffman and
/// Gelman 2014; Betancourt 2017, appendix A.3.2), with momenta N(0, I).
///
/// A trajectory is doubled in a random direction of time until a piece of it turns back, a point
/// diverges, or it has 2^kMaxTreeDepth points. A piece turns back unless the sum rho of the momenta
/// of its points has p rho > 0 at both ends; the same is required of each half with the nearest
/// point of the other, since trajectories that close after an exact number of turns can pass the
/// first test. A point has the weight exp(H0 - H). Within a doubling the new state is drawn by
/// these weights; the piece that a doubling adds replaces it with min(1, weight added / weight
/// before).
///
/// Acceptance of a transition: mean of min(1, exp(H0 - H)) over all points that were computed.
/// Random numbers of a transition: uniform number d of LabSite::kProposal decides the direction of
/// doubling d, numbers 2^d .. 2^(d+1) - 1 of LabSite::kAcceptance its replacement and the 2^d - 1
/// choices between halves within it, in the order in which the halves are complete.
class NutsChain : public MarkovChain {
 public:
  /// The caller has called checkStart(). `start` [D].
  NutsChain(std::shared_ptr<const LogDensity> density, const NutsOptions& options,
            std::vector<double> start, std::uint64_t seed, std::uint64_t chain);

  /// `accepted`: the state has changed.
  Transition advance(TransitionPath* path) override;
  [[nodiscard]] std::span<const double> position() const override { return state_.position; }
  [[nodiscard]] double logDensity() const override { return state_.log_density; }
  [[nodiscard]] double stepSize() const override {
    return step_size_.value(done_ < options_.warm_up);
  }
  [[nodiscard]] std::int64_t done() const override { return done_; }

 private:
  std::shared_ptr<const LogDensity> density_;
  NutsOptions options_;
  KeyedRandom momenta_;
  KeyedRandom directions_;
  KeyedRandom choices_;
  PhasePoint state_;
  LeapfrogStepSize step_size_;
  std::int64_t done_ = 0;
};

}  // namespace dubito
