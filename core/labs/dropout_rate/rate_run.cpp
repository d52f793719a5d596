// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/dropout_rate/rate_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/nan.h"
#include "core/labs/network/concrete_layers.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

/// Share of a new value in the running mean of the baseline.
constexpr double kBaselineShare = 0.05;
/// Steps of the logit move p by p (1 - p) per unit, in the gradient and in the step: with this
/// factor a step at p = 1/2 is as long as one of the same size of p itself.
constexpr double kLogitFactor = 16.0;
/// The derivative of the entropy is infinite at 0 and 1; the exact gradient is taken this far away.
constexpr double kExactMargin = 1e-6;

TrainingSettings trainingOf(const RateRunSettings& settings) {
  return {.optimiser = settings.optimiser,
          .epochs = settings.steps,
          .learning_rate = settings.learning_rate,
          // A fixed p is there for its ELBO, which wants converged weights.
          .decays = !settings.estimator.has_value()};
}

/// Those of other networks, with the wanted spread of the output weights.
std::vector<double> startOf(const RateProblem& problem, const RateRunSettings& settings,
                            std::uint64_t seed) {
  std::vector<double> start = initialParameters(problem.shape, seed, 0);
  if (settings.initial_std) {
    const auto units = static_cast<std::size_t>(problem.units());
    const double factor = *settings.initial_std * std::sqrt(static_cast<double>(units));
    for (double& weight : std::span<double>(start).subspan(2 * units, units)) {
      weight *= factor;
    }
  }
  return start;
}

}  // namespace

RateRun::RateRun(std::shared_ptr<const RateProblem> problem, RateRunSettings settings,
                 std::uint64_t seed, std::uint64_t stream)
    : problem_(std::move(problem)),
      settings_(settings),
      seed_(seed),
      stream_(stream),
      training_(startOf(*problem_, settings, seed), problem_->items(), trainingOf(settings), seed,
                stream),
      keep_(settings.start),
      logit_(std::log(settings.start) - std::log1p(-settings.start)),
      mask_(static_cast<std::size_t>(problem_->units())),
      mask_slopes_(mask_.size()),
      mask_gradient_(mask_.size()),
      draw_gradient_(static_cast<std::size_t>(problem_->shape.parameterCount())) {}

double RateRun::tailMean() const {
  return tail_count_ == 0 ? kNaN : tail_sum_ / static_cast<double>(tail_count_);
}

Status RateRun::advance(std::int64_t steps, const RunContext& context) {
  for (std::int64_t i = 0; i < steps; ++i) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    sums_ = {};
    keeps_.add(keep_);
    const bool is_tail = 5 * training_.done() >= 4 * settings_.steps;
    if (Status done = training_.runEpoch(
            [this](std::span<const std::int64_t>, std::uint32_t step,
                   std::span<const double> parameters,
                   std::span<double> gradient) { return loss(step, parameters, gradient); });
        !done) {
      return done;
    }
    elbos_.add(sums_.elbo);
    if (is_tail) {
      tail_sum_ += sums_.elbo;
      ++tail_count_;
    }
    moveKeep();
    if (!std::isfinite(keep_)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("p is no longer a number after step {}; lower the step size of p",
                              training_.done()),
                  {setting("rate_step")});
    }
  }
  return {};
}

double RateRun::loss(std::uint32_t step, std::span<const double> parameters,
                     std::span<double> gradient) {
  std::ranges::fill(gradient, 0.0);
  const bool is_soft = settings_.estimator == RateEstimator::kConcrete;
  for (std::int64_t draw = 0; draw < settings_.draws; ++draw) {
    drawMask(static_cast<std::uint32_t>(std::int64_t{step} * settings_.draws + draw));
    const double squared_loss =
        squaredLoss(parameters, gradient, mask_,
                    is_soft ? std::span<double>(mask_gradient_) : std::span<double>());
    is_soft ? addSoftMask(parameters, squared_loss) : addHardMask(parameters, squared_loss);
  }
  const double share = 1.0 / static_cast<double>(settings_.draws);
  sums_.elbo *= share;
  sums_.gradient *= share;
  for (double& value : gradient) {
    value *= share;
  }
  // The prior, in its expectation over the masks.
  const auto units = mask_.size();
  const double decay = 1.0 / (problem_->prior_std * problem_->prior_std);
  for (std::size_t j = 0; j < units; ++j) {
    gradient[j] += decay * parameters[j];
    gradient[2 * units + j] += decay * keep_ * parameters[2 * units + j];
  }
  return -sums_.elbo;
}

void RateRun::drawMask(std::uint32_t draw) {
  KeyedRandom(seed_, LabSite::kDropoutMask, stream_).uniforms(draw, mask_);
  if (settings_.estimator == RateEstimator::kConcrete) {
    const ConcreteRate rate(-logit_);
    for (std::size_t j = 0; j < mask_.size(); ++j) {
      const ConcreteMask relaxed = rate.mask(mask_[j]);
      mask_[j] = 1.0 - relaxed.dropped;
      mask_slopes_[j] = relaxed.slope_of_dropped;
    }
    return;
  }
  for (double& value : mask_) {
    value = value < keep_ ? 1.0 : 0.0;
  }
}

double RateRun::squaredLoss(std::span<const double> parameters, std::span<double> gradient,
                            std::span<const double> mask, std::span<double> mask_gradient) {
  const double precision = 1.0 / (problem_->noise_std * problem_->noise_std);
  double squares = 0.0;
  const std::array<InputScale, 2> scales{
      InputScale{}, InputScale{.factors = mask, .per_item = false, .gradient = mask_gradient}};
  networkGradient(
      problem_->shape, parameters, problem_->x,
      [&](std::int64_t first, std::span<const double> outputs, std::span<double> slopes) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
          const double error = outputs[i] - problem_->y[static_cast<std::size_t>(first) + i];
          squares += error * error;
          slopes[i] = precision * error;
        }
      },
      draw_gradient_, scales);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    gradient[i] += draw_gradient_[i];
  }
  return 0.5 * precision * squares;
}

void RateRun::addHardMask(std::span<const double> parameters, double squared_loss) {
  const std::size_t units = mask_.size();
  double squares = 0.0;
  std::int64_t kept = 0;
  for (std::size_t j = 0; j < units; ++j) {
    squares += parameters[j] * parameters[j];
    if (mask_[j] > 0.0) {
      squares += parameters[2 * units + j] * parameters[2 * units + j];
      ++kept;
    }
  }
  const double elbo = -squared_loss - 0.5 * squares / (problem_->prior_std * problem_->prior_std) +
                      surpriseOfMask(kept, problem_->units(), keep_);
  sums_.elbo += elbo;
  if (settings_.estimator == RateEstimator::kScore) {
    const bool waits = settings_.baseline && !baseline_;
    sums_.gradient +=
        waits ? 0.0 : maskScore(kept, problem_->units(), keep_) * (elbo - baseline_.value_or(0.0));
  }
}

void RateRun::addSoftMask(std::span<const double> parameters, double squared_loss) {
  const std::size_t units = mask_.size();
  double output_squares = 0.0;
  double input_squares = 0.0;
  double of_likelihood = 0.0;
  for (std::size_t j = 0; j < units; ++j) {
    input_squares += parameters[j] * parameters[j];
    output_squares += parameters[2 * units + j] * parameters[2 * units + j];
    of_likelihood -= mask_gradient_[j] * mask_slopes_[j];
  }
  const double precision = 1.0 / (problem_->prior_std * problem_->prior_std);
  const auto count = static_cast<double>(units);
  sums_.elbo += -squared_loss - 0.5 * precision * (keep_ * output_squares + input_squares) +
                count * maskEntropy(keep_);
  // d(entropy)/dp is -logit p; dp / d logit = p (1 - p).
  sums_.gradient += of_likelihood +
                    keep_ * sigmoid(-logit_) * (-0.5 * precision * output_squares - count * logit_);
}

void RateRun::moveKeep() {
  if (!settings_.estimator) {
    return;
  }
  switch (*settings_.estimator) {
    case RateEstimator::kConcrete:
      logit_ += kLogitFactor * settings_.rate_step * sums_.gradient;
      keep_ = sigmoid(logit_);
      return;
    case RateEstimator::kScore:
      if (settings_.baseline) {
        const double before = baseline_.value_or(sums_.elbo);
        baseline_ = before + kBaselineShare * (sums_.elbo - before);
      }
      break;
    case RateEstimator::kCoordinate:
      sums_.gradient =
          meanNetworkGradient(*problem_, contributionsOf(*problem_, training_.parameters()), keep_);
      break;
    case RateEstimator::kExact:
      sums_.gradient =
          expectedRateGradient(*problem_, contributionsOf(*problem_, training_.parameters()),
                               std::clamp(keep_, kExactMargin, 1.0 - kExactMargin));
      break;
  }
  const double moved = keep_ + settings_.rate_step * sums_.gradient;
  // Written so that NaN stays NaN and is reported.
  keep_ = std::isnan(moved) ? moved : std::clamp(moved, settings_.margin, 1.0 - settings_.margin);
}

}  // namespace dubito
