// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/nan.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/log_density.h"

namespace dubito {

/// A Gaussian over parameters with independent coordinates.
struct MeanField {
  std::vector<double> mean;  ///< [D]
  std::vector<double> std;   ///< [D], each > 0
};

/// Options of variational inference with a MeanField by stochastic gradients.
struct MeanFieldOptions {
  /// Gradient steps, >= 1.
  std::int64_t steps = 2000;
  /// Draws of the parameters per step, >= 1.
  std::int64_t draws = 4;
  /// First learning rate of Adam, > 0; falls to 0 over the steps.
  double learning_rate = 0.02;
  /// Standard deviation to begin with, relative to the prior or the scale of the problem; > 0.
  double initial_std = 0.1;

  [[nodiscard]] std::vector<Field> fields();
};

/// mean + std * noise for draw `s` of `noise` [S, D], row-major, into `weights` [D].
void drawOf(std::span<const double> mean, std::span<const double> std,
            std::span<const double> noise, std::int64_t s, std::span<double> weights);

/// Adam (Kingma and Ba 2015) with its usual constants 0.9, 0.999 and 1e-8. The rate falls as half a
/// cosine from `rate` to 0 over `steps`, so that noisy gradients end at a point.
class DecayingAdam {
 public:
  DecayingAdam(std::int64_t dimension, double rate, std::int64_t steps);
  /// Moves `values` [D] against `gradient` [D].
  void step(std::span<double> values, std::span<const double> gradient);

 private:
  double rate_;
  std::int64_t steps_;
  std::int64_t done_ = 0;
  std::vector<double> first_;
  std::vector<double> second_;
};

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

/// Whether the loss no longer falls: by at most one nat plus two standard errors.
[[nodiscard]] bool isAtOptimum(const LossProgress::Estimate& progress);

/// Variational inference with a MeanField at work: step by step towards the smallest KL(q || p).
/// Subclasses give the gradients, in the mean and in a parameter of each standard deviation.
class MeanFieldInference {
 public:
  virtual ~MeanFieldInference() = default;

  /// One step; does nothing after the last. The loss is not finite if the steps diverge.
  void step(const RunContext& context);
  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] std::int64_t total() const { return options_.steps; }
  /// Loss of the last step, a noisy estimate; NaN before the first.
  [[nodiscard]] double loss() const { return loss_; }
  [[nodiscard]] MeanField result() const { return {mean_, stdOf(spread_)}; }
  /// How far the loss still fell in the second half of the steps; NaN before the last one.
  [[nodiscard]] LossProgress::Estimate progress() const { return fall_; }

 protected:
  /// The loss and its gradients [D].
  struct Gradient {
    double loss = 0.0;
    std::vector<double> mean;
    std::vector<double> spread;  ///< with respect to the parameters of the standard deviations
  };

  /// `start`: mean [D]; `spread`: parameters of the standard deviations [D]. The caller has called
  /// checkStart().
  MeanFieldInference(std::shared_ptr<const LogDensity> density, const MeanFieldOptions& options,
                     std::vector<double> start, std::vector<double> spread, std::uint64_t seed);

  /// At result(), from draws with `noise` [S, D].
  [[nodiscard]] virtual Gradient gradientAt(std::span<const double> mean,
                                            std::span<const double> spread,
                                            std::span<const double> noise,
                                            const RunContext& context) const = 0;
  [[nodiscard]] virtual std::vector<double> stdOf(std::span<const double> spread) const = 0;

 private:
  std::shared_ptr<const LogDensity> density_;
  MeanFieldOptions options_;
  KeyedRandom noise_source_;
  std::vector<double> mean_;
  std::vector<double> spread_;
  std::vector<double> noise_;
  DecayingAdam mean_optimizer_;
  DecayingAdam spread_optimizer_;
  std::int64_t done_ = 0;
  double loss_ = kNaN;
  LossProgress progress_;
  LossProgress::Estimate fall_{kNaN, kNaN};
};

}  // namespace dubito
