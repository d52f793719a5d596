// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/methods/regression_method.h"

namespace dubito {

/// Adam (Kingma and Ba 2015) with its usual constants 0.9, 0.999 and 1e-8.
class Adam {
 public:
  explicit Adam(std::size_t dimension) : mean_(dimension), squares_(dimension) {}

  /// Moves `values` [D] against `gradient` [D] by a step of size `rate`.
  void step(double rate, std::span<double> values, std::span<const double> gradient);

 private:
  std::vector<double> mean_;     ///< running mean of the gradient
  std::vector<double> squares_;  ///< running mean of its square
  // 0.9^steps and 0.999^steps, by multiplication: std::pow differs between machines.
  double mean_share_ = 1.0;
  double squares_share_ = 1.0;
};

/// A curve with one value per unit of work. At most kMaxPoints are kept, evenly spaced, whatever
/// the number of units.
class ThinnedTrace {
 public:
  static constexpr std::size_t kMaxPoints = 1000;

  /// Adds the value of the next unit of work.
  void add(double value);
  [[nodiscard]] Curve curve(std::string name) const;

 private:
  std::vector<double> values_;  ///< of units 0, stride_, 2 stride_, ...
  std::int64_t stride_ = 1;
  std::int64_t count_ = 0;
};

enum class Optimiser {
  kAdam,  ///< see Adam
  kSgd,   ///< plain stochastic gradient descent
};

struct TrainingSettings {
  Optimiser optimiser = Optimiser::kAdam;
  std::int64_t epochs = 1000;
  double learning_rate = 0.01;
  /// Lets the learning rate fall linearly, to 0 after the last epoch.
  bool decays = true;
  /// Items per step; 0: all items in one step.
  std::int64_t batch_size = 0;
};

/// Loss of some items, with its gradient [parameters]: the mean over `items` plus whatever
/// regularises. `step` counts all steps from 0, for keyed random numbers.
using TrainingLoss =
    std::function<double(std::span<const std::int64_t> items, std::uint32_t step,
                         std::span<const double> parameters, std::span<double> gradient)>;

/// Training of a vector of parameters, epoch by epoch. Minibatches are keyed by seed and stream
/// (member of an ensemble).
class Training {
 public:
  Training(std::vector<double> start, std::int64_t items, TrainingSettings settings,
           std::uint64_t seed, std::uint64_t stream);

  /// Runs one epoch. kInvalidArgument, naming the learning rate, if the loss is no longer finite.
  [[nodiscard]] Status runEpoch(const TrainingLoss& loss);

  [[nodiscard]] std::int64_t done() const { return epochs_done_; }
  [[nodiscard]] const std::vector<double>& parameters() const { return parameters_; }
  /// Mean loss of the steps of each epoch.
  [[nodiscard]] Curve lossTrace() const { return trace_.curve("Loss"); }
  [[nodiscard]] double lastLoss() const { return last_loss_; }

 private:
  void step(double rate);

  TrainingSettings settings_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::vector<double> parameters_;
  std::vector<double> gradient_;
  Adam adam_;
  std::vector<std::int64_t> order_;
  std::int64_t epochs_done_ = 0;
  std::uint32_t steps_done_ = 0;
  double last_loss_ = 0.0;
  ThinnedTrace trace_;
};

/// Runs `units` further epochs of every member, members in parallel, up to `total` epochs; a stop
/// keeps what is done. `loss` may be called for several members at once; `on_epoch` is called after
/// each epoch of a single member. Errors as Training::runEpoch(); kCancelled if cancelled.
[[nodiscard]] Status advanceTrainings(std::span<Training> members, std::int64_t units,
                                      std::int64_t total, const TrainingLoss& loss,
                                      const std::function<void()>& on_epoch, RunContext& context);

/// Mean loss of the members, and the curves of the first few, for diagnostics. Nothing before the
/// first epoch.
void addTrainingLosses(std::span<const Training> members, LabDiagnostics& diagnostics);

}  // namespace dubito
