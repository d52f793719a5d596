// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/network/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/all_finite.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {

void Adam::step(double rate, std::span<double> values, std::span<const double> gradient) {
  mean_share_ *= 0.9;
  squares_share_ *= 0.999;
  for (std::size_t i = 0; i < values.size(); ++i) {
    mean_[i] += 0.1 * (gradient[i] - mean_[i]);
    squares_[i] += 0.001 * (gradient[i] * gradient[i] - squares_[i]);
    const double mean = mean_[i] / (1.0 - mean_share_);
    const double square = squares_[i] / (1.0 - squares_share_);
    values[i] -= rate * mean / (std::sqrt(square) + 1e-8);
  }
}

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
  if (!std::isfinite(last_loss_) || !allFinite(parameters_)) {
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

Status advanceTrainings(std::span<Training> members, std::int64_t units, std::int64_t total,
                        const TrainingLoss& loss, const std::function<void()>& on_epoch,
                        RunContext& context) {
  // Epochs between two looks at the control flags: members should not wait for each other often.
  const std::int64_t epochs_per_step = members.size() == 1 ? 1 : 10;
  const auto done = [members] { return members.front().done(); };
  const std::int64_t end = std::min(total, done() + units);
  while (done() < end) {
    const Step step = context.step("training", done(), total);
    if (step == Step::kCancel) {
      return cancelled();
    }
    if (step == Step::kStopEarly) {
      return {};
    }
    const std::int64_t epochs = std::min(epochs_per_step, end - done());
    std::vector<Status> statuses(members.size());
    context.parallelFor(std::ssize(members), 1, [&](std::int64_t begin, std::int64_t last) {
      for (std::int64_t m = begin; m < last; ++m) {
        const auto i = static_cast<std::size_t>(m);
        for (std::int64_t epoch = 0; epoch < epochs && statuses[i]; ++epoch) {
          statuses[i] = members[i].runEpoch(loss);
        }
      }
    });
    for (const Status& status : statuses) {
      if (!status) {
        return status;
      }
    }
    if (members.size() == 1) {
      on_epoch();
    }
  }
  return {};
}

void addTrainingLosses(std::span<const Training> members, LabDiagnostics& diagnostics) {
  constexpr std::size_t kTraces = 5;
  if (members.front().done() == 0) {
    return;
  }
  double sum = 0.0;
  for (const Training& member : members) {
    sum += member.lastLoss();
    if (diagnostics.traces.size() < kTraces) {
      diagnostics.traces.push_back(member.lossTrace());
      if (members.size() > 1) {
        diagnostics.traces.back().name =
            "Loss of member " + std::to_string(diagnostics.traces.size());
      }
    }
  }
  diagnostics.numbers.push_back({"loss", members.size() > 1 ? "Mean loss of the members" : "Loss",
                                 sum / static_cast<double>(members.size())});
}

}  // namespace dubito
