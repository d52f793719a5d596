// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/markov_chain.h"

#include <algorithm>
#include <cmath>

#include "core/base/all_finite.h"
#include "core/base/nan.h"

namespace dubito {
namespace {

/// Transitions per chain between two looks at cancel and progress.
constexpr std::int64_t kTransitionsPerStep = 16;

}  // namespace

TransitionPath TransitionPath::ofStep(std::span<const double> state,
                                      std::span<const double> proposal, bool accepted) {
  TransitionPath path;
  path.points.assign(state.begin(), state.end());
  path.points.insert(path.points.end(), proposal.begin(), proposal.end());
  path.end = 1;
  path.accepted = accepted;
  return path;
}

void ChainStatistics::add(const Transition& transition) {
  if (transition.warm_up) {
    return;
  }
  ++transitions_;
  accepted_ += transition.accepted ? 1 : 0;
  divergences_ += transition.divergent ? 1 : 0;
  acceptance_sum_ += transition.acceptance;
  leapfrog_sum_ += static_cast<double>(transition.leapfrog_steps);
  depth_sum_ += static_cast<double>(transition.tree_depth);
}

double ChainStatistics::perTransition(double sum) const {
  return transitions_ == 0 ? kNaN : sum / static_cast<double>(transitions_);
}

double ChainStatistics::acceptance() const {
  return perTransition(acceptance_sum_);
}

double ChainStatistics::acceptedShare() const {
  return perTransition(static_cast<double>(accepted_));
}

double ChainStatistics::leapfrogSteps() const {
  return perTransition(leapfrog_sum_);
}

double ChainStatistics::treeDepth() const {
  return perTransition(depth_sum_);
}

Status advanceChains(std::span<const std::unique_ptr<MarkovChain>> chains, std::int64_t transitions,
                     const ChainObserver& observer, RunContext& context) {
  for (std::int64_t done = 0; done < transitions;) {
    if (context.step("Sampling", done, transitions) == Step::kCancel) {
      return cancelled();
    }
    const std::int64_t block = std::min(kTransitionsPerStep, transitions - done);
    context.parallelFor(static_cast<std::int64_t>(chains.size()), 1,
                        [&](std::int64_t begin, std::int64_t end) {
                          for (std::int64_t chain = begin; chain < end; ++chain) {
                            for (std::int64_t i = 0; i < block && !context.cancelRequested(); ++i) {
                              const Transition transition =
                                  chains[static_cast<std::size_t>(chain)]->advance(nullptr);
                              if (observer) {
                                observer(chain, transition);
                              }
                            }
                          }
                        });
    done += block;
  }
  return context.cancelRequested() ? Status(cancelled()) : Status();
}

Status checkStart(const LogDensity& density, std::span<const double> start) {
  std::vector<double> gradient(start.size());
  const double value = density.evaluate(start, gradient);
  if (!std::isfinite(value) || !allFinite(gradient)) {
    return fail(ErrorCode::kInvalidArgument,
                "The density at the start of a chain is not finite; start closer to where the "
                "density is large, or scale the data");
  }
  return {};
}

namespace {

// Constants of Hoffman and Gelman 2014, section 3.2.1, except gamma, 0.05 there: the larger it is,
// the less the steps scatter, and the closer the acceptance of their mean is to the target.
constexpr double kGamma = 0.2;
constexpr double kFirstUpdates = 10.0;
constexpr double kKappa = 0.75;

}  // namespace

DualAveraging::DualAveraging(double step, double target)
    : target_(target), shrink_to_(std::log(10.0 * step)), step_(step), averaged_(step) {}

void DualAveraging::update(double acceptance) {
  const auto t = static_cast<double>(++updates_);
  const double weight = 1.0 / (t + kFirstUpdates);
  error_ += weight * (target_ - acceptance - error_);
  const double log_step = shrink_to_ - std::sqrt(t) / kGamma * error_;
  step_ = std::exp(log_step);
  // The first update has weight 1, so the initial guess does not count.
  const double share = std::pow(t, -kKappa);
  averaged_ = std::exp(share * log_step + (1.0 - share) * std::log(averaged_));
}

}  // namespace dubito
