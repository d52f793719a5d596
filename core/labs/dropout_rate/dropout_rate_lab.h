// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/dropout_rate/rate_elbo.h"
#include "core/labs/dropout_rate/rate_options.h"
#include "core/labs/dropout_rate/rate_run.h"

namespace dubito {

/// Where a run of p is.
enum class RateEnd {
  kInside,
  kZero,  ///< every unit is dropped
  kOne,   ///< no unit is dropped
};
[[nodiscard]] const char* keyOf(RateEnd end);  ///< "inside", "zero", "one"

/// A run of p from one start.
struct RateTrajectory {
  RateEstimator estimator{};
  double start = 0.0;
  double keep = 0.0;         ///< p now
  RateEnd end{};             ///< of `keep`
  ElboTerms elbo;            ///< for the current weights and p, in closed form
  double smallest_keep = 0;  ///< of the last fifth of the steps so far
  double largest_keep = 0;
  double mean_keep = 0;
  Curve keeps;  ///< p against the step, thinned
  Curve elbos;  ///< ELBO of the masks of each step, thinned
};

/// The ELBO at a fixed p, with weights trained there by Adam with a falling learning rate.
struct RateGridPoint {
  double keep = 0.0;
  ElboTerms elbo;               ///< for the current weights, in closed form
  double estimate = 0.0;        ///< by Monte Carlo, mean over grid_draws masks
  double standard_error = 0.0;  ///< of `estimate`
  double tail_mean = 0.0;       ///< over the last fifth of the training; NaN before
};

/// What the laboratory shows at one moment. Immutable.
struct DropoutRatePicture {
  std::int64_t done = 0;                     ///< steps
  std::int64_t total = 0;                    ///< steps of the whole run
  std::vector<RateTrajectory> trajectories;  ///< by start; concrete dropout last if it runs too
  std::vector<RateGridPoint> grid;           ///< by p
  std::size_t best = 0;                      ///< index in `grid` of the largest ELBO
  std::vector<std::string> warnings;         ///< sentences for the user
};

/// The laboratory at work (Chan 2019, section 4.2): runs of p from several starts, and a grid of
/// fixed values. One unit of work is a step of each. Keyed: the state after n steps depends on
/// options and seed alone.
class DropoutRateLab {
 public:
  /// The p that the report found; part of its grid.
  static constexpr double kReportedKeep = 0.37;

  /// kInvalidArgument if an option is out of range.
  [[nodiscard]] static Expected<std::unique_ptr<DropoutRateLab>> start(
      const DropoutRateOptions& options, std::uint64_t seed);

  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t total() const { return options_.steps; }
  /// Does up to `steps` further steps. kCancelled if cancelled, kInvalidArgument if a run diverges;
  /// then the object must not be used again.
  [[nodiscard]] Status advance(std::int64_t steps, RunContext& context);
  [[nodiscard]] DropoutRatePicture picture(const RunContext& context) const;

 private:
  DropoutRateLab(DropoutRateOptions options, std::uint64_t seed)
      : options_(std::move(options)), seed_(seed) {}

  DropoutRateOptions options_;
  std::uint64_t seed_;
  std::shared_ptr<const RateProblem> problem_;  ///< the data, scaled
  std::vector<RateRun> runs_;
  std::vector<RateRun> grid_;
  std::int64_t done_ = 0;
};

}  // namespace dubito
