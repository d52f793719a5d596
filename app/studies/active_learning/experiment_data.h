// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/studies/active_learning/options.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"

namespace dubito::study {

/// The items of an active learning experiment, all with labels.
struct ExperimentData {
  DatasetPtr train;  ///< from which the pools are drawn
  DatasetPtr test;   ///< those on which the accuracy is measured
  std::int64_t classes = 0;
};

/// Opens both datasets and selects the share of the test items by a hash of their ids.
/// kInvalidArgument if the datasets share items, or the training items are fewer than the pool;
/// errors of openDataset.
[[nodiscard]] Expected<ExperimentData> openExperiment(const std::string& train_spec,
                                                      const std::string& test_spec,
                                                      const ActiveLearningOptions& options,
                                                      RunContext& context);

/// The pool of a seed: options.pool of the training items, in the order of their rows. A smaller
/// pool is a part of a larger one.
[[nodiscard]] DatasetPtr poolOf(const ExperimentData& data, const ActiveLearningOptions& options,
                                std::uint64_t seed);

/// Ids of the items of the pool that are labelled at the start, ascending: as many of each class as
/// possible, the lower classes one more if the number is not a multiple of the classes.
/// kInvalidArgument if there are too few items of a class, or fewer initial labels than classes.
[[nodiscard]] Expected<std::vector<std::int64_t>> initialIds(const ExperimentData& data,
                                                             const Dataset& pool,
                                                             std::int64_t initial,
                                                             std::uint64_t seed);

/// The items of `pool` whose ids are in `ids`, or (`inverted`) all others, in the order of the
/// pool. Throws std::out_of_range for an id that is not in the pool.
[[nodiscard]] DatasetPtr itemsOf(const DatasetPtr& pool, std::span<const std::int64_t> ids,
                                 bool inverted = false);

}  // namespace dubito::study
