// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Options of stochastic gradient Langevin dynamics.
struct SgldOptions {
  /// First step size eps_0 (a variance), > 0.
  double step_size = 0.01;
  /// Exponent gamma of the decay eps_t = eps_0 (1 + t/delay)^-gamma, in [0, 1]; 0: no decay. The
  /// steps sum to infinity and their squares do not for gamma in (0.5, 1] (Welling and Teh 2011).
  double decay = 0.55;
  /// Transitions over which the decay sets in, > 0.
  double delay = 1000.0;
  /// Items per gradient, >= 1; all items if there are fewer.
  std::int64_t batch = 32;
  /// Transitions that are not draws, >= 0.
  std::int64_t warm_up = 1000;

  /// eps_t for transition `t` >= 0.
  [[nodiscard]] double stepSizeAt(std::int64_t t) const;
  [[nodiscard]] std::vector<Field> fields();
};

/// q + step/2 scale^2 gradient + sqrt(step) scale noise, in place; all [D]. An empty `scale` is 1.
void sgldStep(std::span<double> q, std::span<const double> gradient, std::span<const double> noise,
              double step, std::span<const double> scale = {});

/// Where SGLD takes an unbiased gradient of ln p from.
class GradientSource {
 public:
  virtual ~GradientSource() = default;
  /// Writes an estimate of d ln p/dq at `q` for transition `t` of one chain to `gradient` [D].
  virtual void estimate(std::span<const double> q, std::int64_t t, std::span<double> gradient) = 0;
};

/// The exact gradient: SGLD becomes the unadjusted Langevin algorithm.
[[nodiscard]] std::unique_ptr<GradientSource> exactGradient(
    std::shared_ptr<const LogDensity> density);
/// Gradients of `batch` items. Each pass over the items has a new order; what is left over at the
/// end of a pass is skipped.
[[nodiscard]] std::unique_ptr<GradientSource> batchGradient(
    std::shared_ptr<const DataPosterior> posterior, std::int64_t batch, std::uint64_t seed,
    std::uint64_t chain);

/// One chain of SGLD: never rejects, so it has an error that shrinks with the step size. A step to
/// a point that is not finite is divergent and not taken.
class SgldChain : public MarkovChain {
 public:
  /// The caller has called checkStart(). `start` [D]. `scale` [D], each > 0:
  /// relative widths of the parameters; empty: 1.
  SgldChain(std::unique_ptr<GradientSource> gradient, const SgldOptions& options,
            std::vector<double> start, std::uint64_t seed, std::uint64_t chain,
            std::vector<double> scale = {});

  Transition advance(TransitionPath* path) override;
  [[nodiscard]] std::span<const double> position() const override { return position_; }
  [[nodiscard]] double logDensity() const override;
  [[nodiscard]] double stepSize() const override { return options_.stepSizeAt(done_); }
  [[nodiscard]] std::int64_t done() const override { return done_; }

 private:
  std::unique_ptr<GradientSource> source_;
  SgldOptions options_;
  KeyedRandom noise_;
  std::vector<double> scale_;
  std::vector<double> position_;
  std::vector<double> next_;
  std::vector<double> gradient_;
  std::vector<double> noise_values_;
  std::int64_t done_ = 0;
};

}  // namespace dubito
