// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/gaussian/bounded_ascent.h"

namespace dubito {

/// Where and how long to search for the parameters with the largest evidence.
struct EvidenceSearchPlan {
  std::vector<double> start;  ///< logarithms of the parameters
  AscentBounds bounds;
  std::int64_t starts = 1;           ///< the first from `start`, the others near it
  std::int64_t steps_per_start = 1;  ///< largest number of steps of one ascent
  std::uint64_t seed = 0;
  /// Random points of which the best one is the start of a further ascent.
  std::int64_t candidates = 16;
};

/// Maximises an evidence from several starting points, one after the other, step by step. An
/// evidence may have several maxima: each further starting point is the best of
/// EvidenceSearchPlan::candidates points, which are `start` plus normals of standard deviation 1.5
/// or 3 (a factor of 4.5 or 20), keyed by the seed.
class EvidenceSearch {
 public:
  explicit EvidenceSearch(EvidenceSearchPlan plan) : plan_(std::move(plan)) {}

  /// Steps done and in all. If an ascent converges early, the rest of its steps count as done.
  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t total() const { return plan_.starts * plan_.steps_per_start; }

  /// Does one step, or finishes an ascent that cannot continue. kCancelled; errors of `function` at
  /// the first starting point, while other starting points that fail are left out.
  [[nodiscard]] Status step(const AscentFunction& function, const RunContext& context);

  /// The best point so far; before the first step, the start.
  [[nodiscard]] const std::vector<double>& best() const { return best_; }
  /// Its evidence; empty before the first step.
  [[nodiscard]] std::optional<double> bestValue() const { return best_value_; }
  /// Evidence against the step, one curve per starting point: "log evidence", "log evidence, start
  /// 2", ...
  [[nodiscard]] const std::vector<Curve>& traces() const { return traces_; }
  /// Whether the ascent to best() ended because the evidence rises no more, rather than by the
  /// limit of steps; true before the first step.
  [[nodiscard]] bool bestConverged() const { return best_converged_; }
  /// Whether best() lies at a bound in variable `i`.
  [[nodiscard]] bool isAtBound(std::size_t i) const;
  /// One sentence per variable at whose bound the search is; `names` are those of the variables.
  [[nodiscard]] std::vector<std::string> boundWarnings(const std::vector<std::string>& names) const;
  /// A sentence if the search has ended by its limit of steps.
  [[nodiscard]] std::optional<std::string> limitWarning() const;

 private:
  [[nodiscard]] Expected<std::vector<double>> startingPoint(std::int64_t index,
                                                            const AscentFunction& function) const;
  /// Begins the ascent from starting point `index`.
  [[nodiscard]] Status begin(std::int64_t index, const AscentFunction& function);
  void record();

  EvidenceSearchPlan plan_;
  std::int64_t done_ = 0;
  std::optional<BoundedAscent> ascent_;
  std::vector<double> best_ = plan_.start;
  std::optional<double> best_value_;
  bool best_converged_ = true;
  std::vector<Curve> traces_;
};

/// How a Gaussian method determines the standard deviation of the noise.
struct NoiseRule {
  enum class Kind {
    kEvidence,  ///< maximise the evidence
    kShared,    ///< that of the problem, RegressionProblem::noise_std
    kValue,     ///< a given value
  };
  Kind kind = Kind::kEvidence;
  double value = 0.0;  ///< > 0 for kValue; unused otherwise

  /// The fixed standard deviation, or the start of the search.
  [[nodiscard]] double initial(double shared) const {
    return kind == Kind::kValue ? value : shared;
  }
};

/// Parses "auto", "shared" or a number in [1e-6, 1e6]; kInvalidArgument names noise_from.
[[nodiscard]] Expected<NoiseRule> parseNoiseRule(const std::string& text);

/// The description of an option with such a text.
[[nodiscard]] FieldInfo noiseFieldInfo();

}  // namespace dubito
