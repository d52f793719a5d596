// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/sampling/log_density.h"
#include "core/labs/sampling/mean_field.h"

namespace dubito {

/// Fall of the variational loss over the second half of a fit, in nats, that counts as none.
inline constexpr double kMaxLossProgress = 1.0;

/// How far the loss of a fit by noisy gradients still fell in its second half: the loss at the
/// average state of the twentieth of the steps before the middle, minus that before the end, over
/// the same draws. Averages, because the noise of the gradients, which falls with the learning
/// rate, lifts the loss of single states by more than what is left to gain.
class LossProgress {
 public:
  LossProgress(std::size_t dimension, std::int64_t steps);

  /// Whether the state after `done` steps counts.
  [[nodiscard]] bool wants(std::int64_t done) const { return middle_.has(done) || last_.has(done); }
  /// The state after `done` steps, if it is wanted.
  void add(std::int64_t done, std::span<const double> mean, std::span<const double> std);

  struct Estimate {
    double nats = 0.0;   ///< NaN before the last step
    double error = 0.0;  ///< its standard error
  };
  /// After the last step. Draws in parallel; the result does not depend on the number of threads.
  [[nodiscard]] Estimate estimate(const LogDensity& density, const RunContext& context) const;

 private:
  /// Sums of means and logarithms of standard deviations over the states (begin, end].
  struct Window {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::vector<double> mean;
    std::vector<double> log_std;

    [[nodiscard]] bool has(std::int64_t done) const { return done > begin && done <= end; }
  };
  [[nodiscard]] static MeanField averageOf(const Window& window);

  Window middle_;
  Window last_;
};

/// Whether the loss no longer falls: by at most kMaxLossProgress plus two standard errors.
[[nodiscard]] bool isAtOptimum(const LossProgress::Estimate& progress);

}  // namespace dubito
