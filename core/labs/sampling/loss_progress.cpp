// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/loss_progress.h"

#include <algorithm>
#include <cmath>

#include "core/labs/random/keyed_random.h"
#include "core/labs/sampling/bayes_by_backprop.h"

namespace dubito {
namespace {

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

}  // namespace dubito
