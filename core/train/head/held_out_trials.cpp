// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/head/held_out_trials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/data/items/item_random.h"

namespace dubito {
namespace {

constexpr std::array kLogitDeviations = {1.0, 1.8, 3.0, 5.5, 10.0, 18.0, 30.0, 55.0, 100.0, 300.0};

/// Features of fewer numbers are fitted on one thread.
constexpr std::int64_t kOneThread = std::int64_t{1} << 20;

/// The items for which `in` is true, and their positions.
struct SomeItems {
  LabelledFeatures items;
  std::vector<std::size_t> positions;
};

template <class In>
SomeItems someOf(const LabelledFeatures& all, const In& in) {
  SomeItems some;
  std::vector<float> values;
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    if (in(i)) {
      const auto row = all.features.row(static_cast<std::int64_t>(i));
      values.insert(values.end(), row.begin(), row.end());
      some.items.labels.push_back(all.labels[i]);
      some.positions.push_back(i);
    }
  }
  some.items.features =
      Array<float>::fromVector({some.items.size(), all.features.extent(1)}, std::move(values));
  return some;
}

/// Predicts the items at `positions` with `head`.
void judge(const LinearHead& head, const LabelledFeatures& items,
           std::span<const std::size_t> positions, HeldOutTrial& trial) {
  std::vector<double> logits(static_cast<std::size_t>(head.weight.extent(0)));
  for (const std::size_t i : positions) {
    const auto inputs = items.features.row(static_cast<std::int64_t>(i));
    for (std::size_t k = 0; k < logits.size(); ++k) {
      const auto weights = head.weight.row(static_cast<std::int64_t>(k));
      logits[k] = std::inner_product(weights.begin(), weights.end(), inputs.begin(),
                                     head.bias.empty() ? 0.0 : head.bias[k]);
    }
    const auto best = std::ranges::max_element(logits);
    double sum = 0.0;
    for (const double logit : logits) {
      sum += std::exp(logit - *best);
    }
    const auto label = static_cast<std::size_t>(items.labels[i]);
    trial.loss[i] = *best + std::log(sum) - logits[label];
    trial.is_right[i] = best - logits.begin() == items.labels[i] ? 1 : 0;
  }
}

}  // namespace

std::vector<std::int64_t> heldOutParts(std::span<const std::int64_t> labels,
                                       std::span<const std::int64_t> ids, std::int64_t folds,
                                       std::uint64_t seed) {
  std::vector<std::tuple<std::int64_t, double, std::int64_t, std::size_t>> order;
  order.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    order.emplace_back(labels[i], ItemRandom(seed, ids[i]).uniform(), ids[i], i);
  }
  std::ranges::sort(order);
  std::vector<std::int64_t> part_of(labels.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    part_of[std::get<3>(order[place])] = static_cast<std::int64_t>(place) % folds;
  }
  return part_of;
}

double HeldOutTrial::totalLoss() const {
  return std::accumulate(loss.begin(), loss.end(), 0.0);
}

Expected<std::vector<HeldOutTrial>> heldOutTrials(const LabelledFeatures& items,
                                                  std::span<const std::int64_t> part_of,
                                                  std::int64_t folds,
                                                  std::span<const double> penalties,
                                                  const SoftmaxRegressionOptions& options,
                                                  RunContext& context) {
  // The fits report their iterations, of which there are too many to show; threads would spend
  // their time waiting for each other.
  RunContext of_fit = context;
  of_fit.on_progress = nullptr;
  of_fit.threads = items.features.size() < kOneThread ? 1 : context.threads;
  const std::int64_t fits = folds * static_cast<std::int64_t>(penalties.size());
  std::int64_t done = 0;
  std::vector<HeldOutTrial> trials;
  for (const double l2 : penalties) {
    HeldOutTrial trial{.l2 = l2,
                       .loss = std::vector<double>(items.labels.size()),
                       .is_right = std::vector<std::uint8_t>(items.labels.size())};
    for (std::int64_t part = 0; part < folds; ++part) {
      if (context.step(kTrialsStage, done++, fits) == Step::kCancel) {
        return cancelled();
      }
      const SomeItems others = someOf(items, [&](std::size_t i) { return part_of[i] != part; });
      const SomeItems held_out = someOf(items, [&](std::size_t i) { return part_of[i] == part; });
      if (held_out.positions.empty() || others.positions.empty()) {
        continue;
      }
      SoftmaxRegressionOptions of_part = options;
      of_part.l2 =
          l2 * static_cast<double>(items.size()) / static_cast<double>(others.items.size());
      const auto fitted = fitSoftmaxRegression(others.items, {}, of_part, of_fit);
      if (!fitted) {
        return failWith(fitted);
      }
      judge(fitted->head, items, held_out.positions, trial);
    }
    trials.push_back(std::move(trial));
    if (trials.size() > 1 && trials.back().totalLoss() > trials[trials.size() - 2].totalLoss()) {
      break;
    }
  }
  return trials;
}

std::size_t bestTrial(std::span<const HeldOutTrial> trials, std::span<const std::int64_t> part_of,
                      std::int64_t except_part) {
  std::size_t best = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < trials.size(); ++t) {
    double sum = 0.0;
    for (std::size_t i = 0; i < part_of.size(); ++i) {
      sum += part_of[i] == except_part ? 0.0 : trials[t].loss[i];
    }
    if (sum < smallest) {
      smallest = sum;
      best = t;
    }
  }
  return best;
}

std::int64_t heldOutRight(std::span<const HeldOutTrial> trials,
                          std::span<const std::int64_t> part_of, std::int64_t folds) {
  std::int64_t right = 0;
  for (std::int64_t part = 0; part < folds; ++part) {
    const HeldOutTrial& trial = trials[bestTrial(trials, part_of, part)];
    for (std::size_t i = 0; i < part_of.size(); ++i) {
      right += part_of[i] == part ? trial.is_right[i] : 0;
    }
  }
  return right;
}

std::vector<double> candidatePenalties(const LabelledFeatures& items, bool has_bias) {
  // The prior of precision n l2 over the weights gives an item with features h logits of variance
  // |h|^2 / (n l2); what all items have in common is left to the bias.
  const auto n = static_cast<double>(items.size());
  std::vector<double> sums(static_cast<std::size_t>(items.features.extent(1)));
  double size = 0.0;
  for (std::int64_t i = 0; i < items.size(); ++i) {
    const auto row = items.features.row(i);
    for (std::size_t q = 0; q < row.size(); ++q) {
      sums[q] += double{row[q]};
      size += double{row[q]} * double{row[q]} / n;
    }
  }
  for (const double sum : sums) {
    size -= has_bias ? sum / n * sum / n : 0.0;
  }
  if (!(size > 0.0)) {
    return {1.0 / n};
  }
  std::vector<double> penalties;
  for (const double deviation : kLogitDeviations) {
    penalties.push_back(size / (n * deviation * deviation));
  }
  return penalties;
}

}  // namespace dubito
