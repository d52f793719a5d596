// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/labs/random/keyed_random.h"

namespace dubito {

void ThinnedTrace::add(double value) {
  if (count_ % stride_ == 0) {
    if (values_.size() == kMaxPoints) {
      for (std::size_t i = 0; i < kMaxPoints / 2; ++i) {
        values_[i] = values_[2 * i];
      }
      values_.resize(kMaxPoints / 2);
      stride_ *= 2;
    }
    values_.push_back(value);
  }
  ++count_;
}

Curve ThinnedTrace::curve(std::string name) const {
  Curve curve;
  curve.name = std::move(name);
  curve.summary = std::nan("");
  curve.y = values_;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    curve.x.push_back(static_cast<double>(static_cast<std::int64_t>(i) * stride_ + 1));
  }
  return curve;
}

Training::Training(std::vector<double> start, std::int64_t items, TrainingSettings settings,
                   std::uint64_t seed, std::uint64_t stream)
    : settings_(settings),
      seed_(seed),
      stream_(stream),
      parameters_(std::move(start)),
      gradient_(parameters_.size()),
      adam_(parameters_.size()),
      order_(static_cast<std::size_t>(items)) {
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
}

Status Training::runEpoch(const TrainingLoss& loss) {
  const auto items = std::ssize(order_);
  const std::int64_t batch =
      settings_.batch_size == 0 ? items : std::min(settings_.batch_size, items);
  if (batch < items) {
    KeyedRandom(seed_, LabSite::kShuffle, stream_)
        .permutation(static_cast<std::uint32_t>(epochs_done_), order_);
  }
  const double left =
      1.0 - static_cast<double>(epochs_done_) / static_cast<double>(settings_.epochs);
  const double rate = settings_.learning_rate * (settings_.decays ? left : 1.0);
  double sum = 0.0;
  for (std::int64_t first = 0; first < items; first += batch) {
    const std::int64_t count = std::min(batch, items - first);
    const std::span<const std::int64_t> chosen(order_.data() + first,
                                               static_cast<std::size_t>(count));
    sum += static_cast<double>(count) * loss(chosen, steps_done_, parameters_, gradient_);
    step(rate);
    ++steps_done_;
  }
  last_loss_ = sum / static_cast<double>(items);
  const bool is_finite =
      std::isfinite(last_loss_) &&
      std::ranges::all_of(parameters_, [](double value) { return std::isfinite(value); });
  if (!is_finite) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the loss diverged in epoch {} at learning rate {:g}; lower the "
                            "learning rate",
                            epochs_done_ + 1, settings_.learning_rate));
  }
  trace_.add(last_loss_);
  ++epochs_done_;
  return {};
}

void Training::step(double rate) {
  if (settings_.optimiser == Optimiser::kSgd) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      parameters_[i] -= rate * gradient_[i];
    }
    return;
  }
  adam_.step(rate, parameters_, gradient_);
}

}  // namespace dubito
