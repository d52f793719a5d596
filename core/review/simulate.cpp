// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/base/splitmix64.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

/// [length + 1], number of errors among the first items of a queue.
std::vector<std::int64_t> errorsUpTo(const Queue& queue, const Run& run,
                                     std::span<const std::int64_t> truth) {
  std::vector<std::int64_t> found{0};
  found.reserve(queue.rows.size() + 1);
  for (const std::int64_t row : queue.rows) {
    const bool wrong = run.labels.data()[row] != truth[static_cast<std::size_t>(row)];
    found.push_back(found.back() + (wrong ? 1 : 0));
  }
  return found;
}

std::vector<std::int64_t> comparableRows(const Run& run, std::span<const std::int64_t> truth,
                                         std::span<const std::int64_t> only_rows) {
  std::vector<std::int64_t> rows;
  const auto add = [&](std::int64_t row) {
    if (run.labels.data()[row] >= 0 && truth[static_cast<std::size_t>(row)] >= 0) {
      rows.push_back(row);
    }
  };
  if (only_rows.empty()) {
    for (std::int64_t row = 0; row < run.itemCount(); ++row) {
      add(row);
    }
  } else {
    std::ranges::for_each(only_rows, add);
  }
  return rows;
}

std::int64_t likeliestOther(const Run& run, std::int64_t row, std::int64_t label) {
  std::int64_t best = label == 0 ? 1 : 0;
  for (std::int64_t k = 0; k < run.classCount(); ++k) {
    if (k != label && run.prob(row, k) > run.prob(row, best)) {
      best = k;
    }
  }
  return best;
}

}  // namespace

std::vector<double> usualReviewShares() {
  return {0.01, 0.02, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0};
}

Expected<ReviewSimulation> simulateReview(const Run& run, std::span<const std::int64_t> truth,
                                          const QueueOptions& options, const QueueInputs& inputs,
                                          const std::vector<double>& shares, RunContext& context) {
  if (static_cast<std::int64_t>(truth.size()) != run.itemCount()) {
    throw std::invalid_argument("simulateReview: needs one true label per item");
  }
  for (const double share : shares) {
    if (!(share >= 0.0 && share <= 1.0)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: {} is no share of the items; use numbers from 0 to 1",
                              inputs.name, share));
    }
  }
  const std::vector<std::int64_t> rows = comparableRows(run, truth, inputs.only_rows);
  if (rows.empty()) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{}: no item has both a given and a true label; give labels of the same "
                    "items",
                    inputs.name));
  }
  QueueInputs comparable = inputs;
  comparable.only_rows = rows;
  comparable.settled_ids = {};
  auto queue = buildQueue(run, {.by = options.by}, comparable, context);
  if (!queue) {
    return failWith(queue);
  }
  const auto random = buildQueue(run, {.by = "random"}, comparable, context);
  if (!random) {
    return failWith(random);
  }
  const std::vector<std::int64_t> found = errorsUpTo(*queue, run, truth);
  const std::vector<std::int64_t> by_chance = errorsUpTo(*random, run, truth);
  ReviewSimulation result{.queue = *std::move(queue)};
  result.items = static_cast<std::int64_t>(rows.size());
  result.errors = by_chance.back();
  result.shares = shares;
  for (const double share : shares) {
    const auto reviewed =
        static_cast<std::size_t>(std::llround(share * static_cast<double>(result.items)));
    result.reviewed.push_back(static_cast<std::int64_t>(reviewed));
    result.found.push_back(found[std::min(reviewed, found.size() - 1)]);
    result.found_in_random_order.push_back(by_chance[std::min(reviewed, by_chance.size() - 1)]);
    result.expected_in_random_order.push_back(share * static_cast<double>(result.errors));
  }
  return result;
}

Expected<Array<std::int64_t>> flipLabels(const Run& run, const std::string& name, double share,
                                         LabelFlip flip, std::uint64_t seed) {
  if (!(share >= 0.0 && share <= 1.0)) {
    throw std::invalid_argument("flipLabels: the share is not in [0, 1]");
  }
  if (Status probs = requireProbabilities(run, name); !probs) {
    return failWith(probs);
  }
  if (Status labels = requireLabels(run, name); !labels) {
    return failWith(labels);
  }
  if (run.classCount() < 2) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has a single class, so there is no wrong label; give a run with "
                            "several classes",
                            name));
  }
  std::vector<std::pair<std::uint64_t, std::int64_t>> labelled;  // hash and row
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    if (run.labels.data()[row] >= 0) {
      const auto id = static_cast<std::uint64_t>(run.ids.data()[row]);
      labelled.emplace_back(splitmix64(splitmix64(seed) ^ splitmix64(~id)), row);
    }
  }
  std::ranges::sort(labelled);
  const std::int64_t flips = std::llround(share * static_cast<double>(labelled.size()));
  std::vector<std::int64_t> labels(run.labels.values().begin(), run.labels.values().end());
  for (std::size_t i = 0; i < static_cast<std::size_t>(flips); ++i) {
    const auto [hash, row] = labelled[i];
    std::int64_t& label = labels[static_cast<std::size_t>(row)];
    if (flip == LabelFlip::kSecondLikeliest) {
      label = likeliestOther(run, row, label);
    } else {
      const auto others = static_cast<std::uint64_t>(run.classCount() - 1);
      const auto other = static_cast<std::int64_t>(splitmix64(hash) % others);
      label = other < label ? other : other + 1;
    }
  }
  return Array<std::int64_t>::fromVector(std::move(labels));
}

}  // namespace dubito
