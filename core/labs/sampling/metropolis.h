// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/markov_chain.h"

namespace dubito {

/// Options of random-walk Metropolis.
struct MetropolisOptions {
  /// Standard deviation of a proposal in each direction, > 0; with `adapt` only the first guess.
  double step_size = 0.5;
  /// Whether the warm-up adapts the step size to `target_acceptance`.
  bool adapt = true;
  /// Mean acceptance to adapt to, in (0, 1). The best is about 0.44 in one dimension and falls to
  /// 0.234 in many (Roberts, Gelman and Gilks 1997).
  double target_acceptance = 0.3;
  /// Transitions that adapt and are not draws, >= 0.
  std::int64_t warm_up = 500;

  [[nodiscard]] std::vector<Field> fields();
};

/// One chain of random-walk Metropolis: q' = q + step_size * scale * z with z ~ N(0, I), accepted
/// with min(1, p(q')/p(q)).
class MetropolisChain : public MarkovChain {
 public:
  /// The caller has called checkStart(). `start` [D]. `scale` [D], each > 0:
  /// relative widths of the proposal; empty: 1.
  MetropolisChain(std::shared_ptr<const LogDensity> density, const MetropolisOptions& options,
                  std::vector<double> start, std::uint64_t seed, std::uint64_t chain,
                  std::vector<double> scale = {});

  Transition advance(TransitionPath* path) override;
  [[nodiscard]] std::span<const double> position() const override { return position_; }
  [[nodiscard]] double logDensity() const override { return log_density_; }
  [[nodiscard]] double stepSize() const override;
  [[nodiscard]] std::int64_t done() const override { return done_; }

 private:
  std::shared_ptr<const LogDensity> density_;
  MetropolisOptions options_;
  KeyedRandom proposals_;
  KeyedRandom acceptances_;
  std::vector<double> scale_;
  std::vector<double> position_;
  std::vector<double> proposal_;
  double log_density_;
  DualAveraging averaging_;
  std::int64_t done_ = 0;
};

}  // namespace dubito
