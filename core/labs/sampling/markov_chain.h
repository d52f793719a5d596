// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/sampling/log_density.h"

namespace dubito {

/// What happened in one transition of a chain.
struct Transition {
  bool accepted = false;
  /// Probability with which the proposal was accepted, in [0, 1].
  double acceptance = 0.0;
  /// The proposal was useless: its energy error was above kMaxEnergyError, or a number not finite.
  bool divergent = false;
  /// -ln p of the new state; for HMC plus the kinetic energy with which the transition began.
  double energy = 0.0;
  /// Whether the chain was still adapting; such states are not draws of the density.
  bool warm_up = false;
  std::int64_t leapfrog_steps = 0;  ///< gradients of the trajectory; 0 without one
  std::int64_t tree_depth = 0;      ///< doublings of the trajectory of NutsChain, else 0
};

/// Largest energy error H1 - H0 of a trajectory that is not called divergent.
inline constexpr double kMaxEnergyError = 1000.0;

/// How a proposal was reached, for drawing: points in the order of time.
struct TransitionPath {
  /// [n, D] row-major, n >= 1: the state before the transition, the steps in between, the proposal.
  /// Of NutsChain, which integrates in both directions: every point of the trajectory.
  std::vector<double> points;
  std::size_t start = 0;  ///< row of the state before the transition
  std::size_t end = 0;    ///< row of the proposal
  bool accepted = false;
  // Of Hamiltonian dynamics; empty for other samplers.
  std::vector<double> momentum;   ///< [D] at `start`
  std::vector<double> potential;  ///< [n] -ln p
  std::vector<double> kinetic;    ///< [n]

  /// One step from `state` to `proposal`, both [D].
  [[nodiscard]] static TransitionPath ofStep(std::span<const double> state,
                                             std::span<const double> proposal, bool accepted);
};

/// One Markov chain. Keyed: its state after n transitions depends on the density, the options, the
/// start, the seed and the number of the chain alone.
class MarkovChain {
 public:
  virtual ~MarkovChain() = default;
  /// One transition. Writes how the proposal was reached to `path` unless that is null.
  virtual Transition advance(TransitionPath* path) = 0;
  /// Current state [D].
  [[nodiscard]] virtual std::span<const double> position() const = 0;
  /// ln p at the current state; NaN if the sampler does not compute it.
  [[nodiscard]] virtual double logDensity() const = 0;
  /// Step size of the next transition.
  [[nodiscard]] virtual double stepSize() const = 0;
  /// Transitions so far.
  [[nodiscard]] virtual std::int64_t done() const = 0;
};

/// Sums over the transitions of a chain after its warm-up.
class ChainStatistics {
 public:
  /// Counts `transition` unless it belongs to the warm-up.
  void add(const Transition& transition);
  [[nodiscard]] std::int64_t transitions() const { return transitions_; }
  [[nodiscard]] std::int64_t divergences() const { return divergences_; }
  /// Mean probability of acceptance, in [0, 1]; NaN before the first transition.
  [[nodiscard]] double acceptance() const;
  /// Share of proposals that were accepted, in [0, 1]; NaN before the first transition.
  [[nodiscard]] double acceptedShare() const;
  /// Mean number of leapfrog steps and mean tree depth; NaN before the first transition.
  [[nodiscard]] double leapfrogSteps() const;
  [[nodiscard]] double treeDepth() const;

 private:
  std::int64_t transitions_ = 0;
  std::int64_t accepted_ = 0;
  std::int64_t divergences_ = 0;
  double acceptance_sum_ = 0.0;
  double leapfrog_sum_ = 0.0;
  double depth_sum_ = 0.0;

  /// `sum` per transition; NaN before the first one.
  [[nodiscard]] double perTransition(double sum) const;
};

/// Called after each transition on the thread that computed it, one call at a time per chain.
using ChainObserver = std::function<void(std::int64_t chain, const Transition& transition)>;

/// Advances every chain by `transitions`, chains in parallel. Reports progress under "Sampling".
/// kCancelled if cancelled; the chains are then at different transitions.
[[nodiscard]] Status advanceChains(std::span<const std::unique_ptr<MarkovChain>> chains,
                                   std::int64_t transitions, const ChainObserver& observer,
                                   RunContext& context);

/// kInvalidArgument, with a sentence for the user, unless ln p and its gradient at `start` [D] are
/// finite.
[[nodiscard]] Status checkStart(const LogDensity& density, std::span<const double> start);

/// Adapts a step size until the mean acceptance is `target` (Nesterov's dual averaging as in
/// Hoffman and Gelman 2014, section 3.2).
class DualAveraging {
 public:
  /// `step` > 0: first guess; `target` in (0, 1).
  DualAveraging(double step, double target);
  /// `acceptance` in [0, 1]: probability of acceptance in the last transition.
  void update(double acceptance);
  /// Step size to try next.
  [[nodiscard]] double step() const { return step_; }
  /// Weighted mean of the step sizes so far, to be used once the adaptation ends.
  [[nodiscard]] double averaged() const { return averaged_; }

 private:
  double target_;
  double shrink_to_;
  std::int64_t updates_ = 0;
  double error_ = 0.0;
  double step_;
  double averaged_;
};

}  // namespace dubito
