// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/labs/dropout_rate/rate_elbo.h"
#include "core/labs/dropout_rate/rate_options.h"
#include "core/labs/network/network_pass.h"
#include "core/labs/network/training.h"

namespace dubito {

/// How one network and its p are trained.
struct RateRunSettings {
  double start = 0.5;                      ///< first p, in [0, 1]
  std::optional<RateEstimator> estimator;  ///< absent: p stays at `start`
  double rate_step = 1e-5;
  double margin = 0.0;
  bool baseline = false;
  std::int64_t draws = 1;
  std::int64_t steps = 1000;              ///< of the whole run
  Optimiser optimiser = Optimiser::kSgd;  ///< of the weights
  double learning_rate = 1e-4;
  std::optional<double> initial_std;  ///< of the output weights; absent: 1 / sqrt(units)
};

/// Training of the weights under masks, with a step of p after each step of the weights. Keyed:
/// the state after n steps depends on the problem, the settings, seed and stream alone.
class RateRun {
 public:
  RateRun(std::shared_ptr<const RateProblem> problem, RateRunSettings settings, std::uint64_t seed,
          std::uint64_t stream);

  /// kInvalidArgument, naming the option to change, if the weights or p diverge; kCancelled if
  /// cancelled.
  [[nodiscard]] Status advance(std::int64_t steps, const RunContext& context);

  [[nodiscard]] const RateRunSettings& settings() const { return settings_; }
  /// p now.
  [[nodiscard]] double keep() const { return keep_; }
  [[nodiscard]] const std::vector<double>& parameters() const { return training_.parameters(); }
  /// p and the ELBO of the masks of each step, before that step.
  [[nodiscard]] Curve keepTrace() const { return keeps_.curve("p"); }
  [[nodiscard]] Curve elboTrace() const { return elbos_.curve("ELBO"); }
  /// Mean of the ELBO over the last fifth of all steps, as the report estimates it; NaN before.
  [[nodiscard]] double tailMean() const;

 private:
  /// What the masks of a step give.
  struct StepSums {
    double elbo = 0.0;      ///< mean over the masks
    double gradient = 0.0;  ///< of the ELBO: with respect to p, or to its logit for kConcrete
  };
  /// Fills gradient_ of -ELBO for the parameters.
  [[nodiscard]] double loss(std::uint32_t step, std::span<const double> parameters,
                            std::span<double> gradient);
  /// Half the squared errors over the noise variance; adds the gradient in the parameters.
  [[nodiscard]] double squaredLoss(std::span<const double> parameters, std::span<double> gradient,
                                   std::span<const double> mask, std::span<double> mask_gradient);
  void drawMask(std::uint32_t draw);
  void addHardMask(std::span<const double> parameters, double squared_loss);
  void addSoftMask(std::span<const double> parameters, double squared_loss);
  void moveKeep();

  std::shared_ptr<const RateProblem> problem_;
  RateRunSettings settings_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  Training training_;
  double keep_;
  double logit_;  ///< of keep_, for kConcrete
  std::optional<double> baseline_;
  StepSums sums_;
  // Of the current mask.
  std::vector<double> mask_;
  std::vector<double> mask_slopes_;  ///< d mask / d logit, for kConcrete
  std::vector<double> mask_gradient_;
  std::vector<double> draw_gradient_;
  ThinnedTrace keeps_;
  ThinnedTrace elbos_;
  double tail_sum_ = 0.0;
  std::int64_t tail_count_ = 0;
};

}  // namespace dubito
