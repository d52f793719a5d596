// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/sampling/lab_samplers.h"
#include "core/labs/sampling/markov_chain.h"
#include "core/labs/sampling/mean_field.h"
#include "core/labs/sampling/sampler_targets.h"
#include "core/labs/sampling/thinned_states.h"

namespace dubito {

/// What runs in the sampler laboratory.
struct SamplerLabOptions {
  std::string density = "banana";  ///< key of one of samplerTargets()
  double correlation = 0.9;        ///< of "gaussian", in (-1, 1)
  /// Key of one of labSamplers(); "langevin" is SGLD with the exact gradient and a constant step.
  std::string sampler = "hmc";
  double step_size = 0.2;            ///< > 0; the first guess if it is adapted
  std::int64_t leapfrog_steps = 10;  ///< of "hmc", >= 1
  bool adapt = true;                 ///< whether the warm-up adapts the step size
  /// Of "hmc" and "nuts", in (0, 1). Higher than for smooth densities: where the curvature changes,
  /// a step that suits most places diverges in others.
  double target_acceptance = 0.8;
  std::int64_t warm_up = 200;  ///< transitions per chain that are not draws
  std::int64_t chains = 4;     ///< 1 to 16; R-hat needs two

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// What the laboratory shows at one moment. Immutable.
struct SamplerPicture {
  std::int64_t transitions = 0;  ///< per chain, warm-up included
  bool is_warming_up = true;
  /// States after the warm-up, one array [kept, 2] per chain. Of a long run, every `thinning`-th.
  std::vector<Array<double>> points;
  std::int64_t thinning = 1;
  /// Points of the last transition of the first chain in the order of time, [n, 2]: from its state
  /// through the leapfrog steps to the proposal; of "nuts" see TransitionPath. Empty before the
  /// first transition.
  Array<double> path;
  std::size_t path_start = 0;  ///< row of the state before the transition
  std::size_t path_end = 0;    ///< row of the proposal
  bool path_accepted = false;
  // Along `path`; empty for samplers without momentum.
  std::vector<double> momentum;   ///< [2] at the start
  std::vector<double> potential;  ///< [n] -ln p
  std::vector<double> kinetic;    ///< [n]; the sum of both is the energy H
  std::vector<Curve> traces;      ///< first coordinate against the transition, one per chain
  /// The same of the warm-up, at most ThinnedStates::kMaxCount states of each chain.
  std::vector<Curve> warm_up_traces;
  Curve autocorrelation;   ///< pooledAutocorrelation() of the first coordinate against the lag
  double step_size = 0.0;  ///< mean over chains
  // NaN while there are too few states.
  double acceptance = 0.0;      ///< mean probability of acceptance; NaN for "langevin"
  double leapfrog_steps = 0.0;  ///< mean per transition; NaN for samplers without momentum
  double tree_depth = 0.0;      ///< mean per transition; NaN unless the sampler is "nuts"
  double ess = 0.0;             ///< of the kept points, the smaller one of the coordinates
  double rhat = 0.0;            ///< the larger one of the coordinates
  std::int64_t divergences = 0;
  DenseGaussian moments;  ///< of the kept points; NaN without any
  std::vector<std::string> warnings;
  /// The chains agree (chainsAgree()), none of their transitions diverged, and none has left the
  /// density.
  bool converged = false;
};

/// A few chains on a density in two dimensions. Keyed: the state after n transitions depends on
/// options and seed alone.
class SamplerLab {
 public:
  /// All chains start at `place`; if absent, each at a random place in the middle of the shown
  /// range. kInvalidArgument if the options are not valid or the density is 0 at `place`.
  [[nodiscard]] static Expected<SamplerLab> start(
      const SamplerLabOptions& options, std::uint64_t seed,
      std::optional<std::array<double, 2>> place = std::nullopt);

  /// Advances every chain. kCancelled if cancelled; the laboratory must not be used afterwards.
  [[nodiscard]] Status advance(std::int64_t transitions, RunContext& context);
  [[nodiscard]] SamplerPicture picture() const;
  /// Per chain so far, warm-up included.
  [[nodiscard]] std::int64_t transitions() const { return chains_.front()->done(); }
  [[nodiscard]] const SamplerTarget& target() const { return target_; }
  [[nodiscard]] const SamplerLabOptions& options() const { return options_; }

 private:
  struct Record {
    ThinnedStates warm_up;
    ThinnedStates draws;  ///< states after the warm-up
    ChainStatistics statistics;
  };
  SamplerLab(SamplerLabOptions options, SamplerTarget target,
             std::vector<std::unique_ptr<MarkovChain>> chains);
  void observe(std::int64_t chain, const Transition& transition);
  /// [C, kept] of one coordinate.
  [[nodiscard]] Array<double> coordinate(std::size_t index) const;
  void addPath(SamplerPicture& picture) const;
  void addChains(SamplerPicture& picture) const;
  void addConvergence(SamplerPicture& picture) const;
  void addWarnings(SamplerPicture& picture) const;
  /// Whether a chain is so far from the shown range that it will hardly come back.
  [[nodiscard]] bool hasLeft() const;

  SamplerLabOptions options_;
  SamplerTarget target_;
  std::vector<std::unique_ptr<MarkovChain>> chains_;
  std::vector<Record> records_;
  TransitionPath path_;
};

/// Bayes by Backprop on a density of the laboratory, for comparison with its samples.
/// kInvalidArgument if it diverges.
[[nodiscard]] Expected<MeanField> fittedMeanField(const SamplerTarget& target, std::uint64_t seed,
                                                  RunContext& context);

}  // namespace dubito
