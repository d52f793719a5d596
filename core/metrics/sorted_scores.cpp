// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/sorted_scores.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/metrics/radix_sort.h"
#include "core/metrics/run_scores.h"

namespace dubito {
SortedScores::SortedScores(std::vector<std::uint64_t> keys, const RunContext& context)
    : keys_(std::move(keys)) {
  radixSort(keys_, context);
}

namespace {

SortedGroups sortGroups(const ItemScore& score, const RunScores& run, const RunContext& context) {
  std::array<std::vector<std::uint64_t>, 3> keys;
  keys[0].reserve(static_cast<std::size_t>(run.correct));
  keys[1].reserve(static_cast<std::size_t>(run.misclassified));
  keys[2].reserve(static_cast<std::size_t>(run.unlabelled));
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    keys[static_cast<std::size_t>(run.outcomes[i])].push_back(
        SortedScores::keyOf(score.rank(static_cast<std::int64_t>(i))));
  }
  SortedGroups groups;
  groups.correct = SortedScores(std::move(keys[0]), context);
  groups.misclassified = SortedScores(std::move(keys[1]), context);
  groups.unlabelled = SortedScores(std::move(keys[2]), context);
  return groups;
}

SortedScores sortAll(const ItemScore& score, const RunContext& context) {
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(score.values.size()));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = SortedScores::keyOf(score.rank(static_cast<std::int64_t>(i)));
  }
  return {std::move(keys), context};
}

}  // namespace

bool SortedScore::hasAllOod() const {
  return std::ranges::all_of(ood, &std::optional<SortedScores>::has_value);
}

SortedScore sortScore(const ItemScore& score, const RunScores& in,
                      const std::vector<RunScores>& ood, const RunContext& context) {
  SortedScore sorted{&score, sortGroups(score, in, context), {}};
  for (const RunScores& set : ood) {
    const ItemScore* const of_set = set.find(score.measure);
    sorted.ood.push_back(of_set == nullptr ? std::nullopt
                                           : std::optional(sortAll(*of_set, context)));
  }
  return sorted;
}

}  // namespace dubito
