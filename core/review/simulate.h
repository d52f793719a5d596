// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/review/queue.h"

namespace dubito {

/// Errors that a review in the order of a queue would have found.
struct ReviewSimulation {
  Queue queue = {};                         ///< over the comparable items
  std::int64_t items = 0;                   ///< comparable: with a given and a true label
  std::int64_t errors = 0;                  ///< items whose given label is not the true one
  std::vector<double> shares = {};          ///< of the items reviewed, as requested
  std::vector<std::int64_t> reviewed = {};  ///< [shares], rounded number of items
  std::vector<std::int64_t> found = {};     ///< [shares], errors among them
  std::vector<std::int64_t> found_in_random_order = {};  ///< [shares], by the queue "random"
  std::vector<double> expected_in_random_order = {};     ///< [shares], errors times share
};

/// Default shares.
[[nodiscard]] std::vector<double> usualReviewShares();

/// Simulates an annotator who reviews the items of a run in the order of a queue and always knows
/// the true label. `truth` [N], -1: unknown; items without true or given label are left out.
/// `shares` in [0, 1]. The limit of `options` and settled items are ignored. kInvalidArgument if no
/// item has both labels, or a share is out of range; errors of buildQueue. Throws
/// std::invalid_argument for another number of true labels than items.
[[nodiscard]] Expected<ReviewSimulation> simulateReview(
    const Run& run, std::span<const std::int64_t> truth, const QueueOptions& options,
    const QueueInputs& inputs, const std::vector<double>& shares, RunContext& context);

/// Which wrong class a label is replaced by.
enum class LabelFlip {
  kRandom,           ///< any other class with the same probability
  kSecondLikeliest,  ///< the most probable of the other classes, as a person might confuse them
};

/// Replaces round(share N) of the N known labels of a run, chosen at random, by wrong ones. Random
/// numbers are keyed by seed and item id. Returns all labels [N]. kInvalidArgument, naming `name`,
/// if the run has no probabilities or no labels. Throws std::invalid_argument for a share outside
/// of [0, 1].
[[nodiscard]] Expected<Array<std::int64_t>> flipLabels(const Run& run, const std::string& name,
                                                       double share, LabelFlip flip,
                                                       std::uint64_t seed);

}  // namespace dubito
