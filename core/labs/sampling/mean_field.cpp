// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/mean_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/labs/sampling/bayes_by_backprop.h"

namespace dubito {
namespace {

constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kFloor = 1e-8;

/// Fall of the variational loss over the second half of a fit, in nats, that counts as none.
constexpr double kMaxLossProgress = 1.0;
constexpr std::int64_t kWindowsPerFit = 20;
constexpr std::uint32_t kBatches = 20;
constexpr std::size_t kDrawsPerBatch = 10;

double lossAt(const LogDensity& density, const MeanField& field, std::span<const double> noise,
              const RunContext& context) {
  std::vector<double> rho;
  for (const double std : field.std) {
    rho.push_back(inverseSoftplus(std));
  }
  return bbbGradient(density, field.mean, rho, noise, context).loss;
}

}  // namespace

std::vector<Field> MeanFieldOptions::fields() {
  return {
      field(&steps, "steps", "Steps",
            "gradient steps in all; the learning rate falls to 0 over them",
            {.min = 1, .max = 1e7}),
      field(&draws, "draws", "Draws per step", "draws of the parameters per gradient",
            {.min = 1, .max = 1000, .advanced = true}),
      field(&learning_rate, "learning_rate", "Learning rate", "first learning rate of Adam",
            {.min = 1e-7, .max = 10.0}),
      field(&initial_std, "initial_std", "Initial spread",
            "standard deviation of the Gaussian to begin with, as a share of the prior's",
            {.min = 1e-6, .max = 1e3, .advanced = true}),
  };
}

void drawOf(std::span<const double> mean, std::span<const double> std,
            std::span<const double> noise, std::int64_t s, std::span<double> weights) {
  const std::size_t dimension = mean.size();
  const auto row = noise.subspan(static_cast<std::size_t>(s) * dimension, dimension);
  for (std::size_t d = 0; d < dimension; ++d) {
    weights[d] = mean[d] + std[d] * row[d];
  }
}

DecayingAdam::DecayingAdam(std::int64_t dimension, double rate, std::int64_t steps)
    : rate_(rate),
      steps_(steps),
      first_(static_cast<std::size_t>(dimension)),
      second_(static_cast<std::size_t>(dimension)) {}

void DecayingAdam::step(std::span<double> values, std::span<const double> gradient) {
  const double share = static_cast<double>(done_) / static_cast<double>(steps_);
  const double rate = 0.5 * rate_ * (1.0 + std::cos(std::numbers::pi * share));
  const auto t = static_cast<double>(++done_);
  const double first_bias = 1.0 - std::pow(kFirstDecay, t);
  const double second_bias = 1.0 - std::pow(kSecondDecay, t);
  for (std::size_t d = 0; d < values.size(); ++d) {
    first_[d] += (1.0 - kFirstDecay) * (gradient[d] - first_[d]);
    second_[d] += (1.0 - kSecondDecay) * (gradient[d] * gradient[d] - second_[d]);
    values[d] -= rate * (first_[d] / first_bias) / (std::sqrt(second_[d] / second_bias) + kFloor);
  }
}

LossProgress::LossProgress(std::size_t dimension, std::int64_t steps) {
  const std::int64_t width = std::max<std::int64_t>(steps / kWindowsPerFit, 1);
  const auto windowBefore = [&](std::int64_t end) {
    return Window{std::max<std::int64_t>(end - width, 0), end, std::vector<double>(dimension),
                  std::vector<double>(dimension)};
  };
  middle_ = windowBefore(std::max<std::int64_t>(steps / 2, 1));
  last_ = windowBefore(steps);
}

void LossProgress::add(std::int64_t done, std::span<const double> mean,
                       std::span<const double> std) {
  for (Window* const window : {&middle_, &last_}) {
    if (!window->has(done)) {
      continue;
    }
    for (std::size_t d = 0; d < mean.size(); ++d) {
      window->mean[d] += mean[d];
      window->log_std[d] += std::log(std[d]);
    }
  }
}

MeanField LossProgress::averageOf(const Window& window) {
  const auto count = static_cast<double>(window.end - window.begin);
  MeanField average;
  for (std::size_t d = 0; d < window.mean.size(); ++d) {
    average.mean.push_back(window.mean[d] / count);
    average.std.push_back(std::exp(window.log_std[d] / count));
  }
  return average;
}

LossProgress::Estimate LossProgress::estimate(const LogDensity& density,
                                              const RunContext& context) const {
  const MeanField middle = averageOf(middle_);
  const MeanField last = averageOf(last_);
  const KeyedRandom random(0, LabSite::kLossCheck);
  std::vector<double> noise(kDrawsPerBatch * middle.mean.size());
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint32_t batch = 0; batch < kBatches; ++batch) {
    random.normals(batch, noise);
    const double fall =
        lossAt(density, middle, noise, context) - lossAt(density, last, noise, context);
    sum += fall;
    squares += fall * fall;
  }
  constexpr auto kCount = static_cast<double>(kBatches);
  const double mean = sum / kCount;
  const double variance = std::max(0.0, squares / kCount - mean * mean) / (kCount - 1.0);
  return {mean, std::sqrt(variance)};
}

bool isAtOptimum(const LossProgress::Estimate& progress) {
  // NaN (still under way, or a loss that is not finite) is not.
  return progress.nats <= kMaxLossProgress + 2.0 * progress.error;
}

MeanFieldInference::MeanFieldInference(std::shared_ptr<const LogDensity> density,
                                       const MeanFieldOptions& options, std::vector<double> start,
                                       std::vector<double> spread, std::uint64_t seed)
    : density_(std::move(density)),
      options_(options),
      noise_source_(seed, LabSite::kWeightNoise),
      mean_(std::move(start)),
      spread_(std::move(spread)),
      noise_(static_cast<std::size_t>(options.draws) * mean_.size()),
      mean_optimizer_(density_->dimension(), options.learning_rate, options.steps),
      spread_optimizer_(density_->dimension(), options.learning_rate, options.steps),
      progress_(mean_.size(), options.steps) {}

void MeanFieldInference::step(const RunContext& context) {
  if (done_ >= options_.steps) {
    return;
  }
  noise_source_.normals(static_cast<std::uint32_t>(done_), noise_);
  const Gradient gradient = gradientAt(mean_, spread_, noise_, context);
  loss_ = gradient.loss;
  mean_optimizer_.step(mean_, gradient.mean);
  spread_optimizer_.step(spread_, gradient.spread);
  ++done_;
  if (progress_.wants(done_)) {
    progress_.add(done_, mean_, stdOf(spread_));
  }
  if (done_ == options_.steps) {
    fall_ = progress_.estimate(*density_, context);
  }
}

}  // namespace dubito
