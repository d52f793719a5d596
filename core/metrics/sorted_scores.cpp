// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/sorted_scores.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/metrics/run_scores.h"

namespace dubito {
namespace {

constexpr int kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kShortList = 4096;
constexpr std::int64_t kKeysPerPart = std::int64_t{1} << 16;
// Keeps the counters of all parts small compared with the keys.
constexpr std::int64_t kMaxParts = 256;

using DigitCounts = std::array<std::size_t, kDigits>;

/// Stable sort of `from` by one digit into `to`.
void sortByDigit(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to, int shift,
                 std::int64_t grain, std::vector<DigitCounts>& counts, const RunContext& context) {
  const auto n = static_cast<std::int64_t>(from.size());
  const auto digitOf = [shift](std::uint64_t key) {
    return static_cast<std::size_t>(key >> shift) & (kDigits - 1);
  };
  context.parallelFor(n, grain, [&](std::int64_t begin, std::int64_t end) {
    DigitCounts& count = counts[static_cast<std::size_t>(begin / grain)];
    count.fill(0);
    if (context.cancelRequested()) {
      return;
    }
    for (std::int64_t i = begin; i < end; ++i) {
      ++count[digitOf(from[static_cast<std::size_t>(i)])];
    }
  });
  if (context.cancelRequested()) {
    return;
  }
  std::size_t start = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    for (DigitCounts& count : counts) {
      start += std::exchange(count[digit], start);
    }
  }
  context.parallelFor(n, grain, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    DigitCounts next = counts[static_cast<std::size_t>(begin / grain)];
    for (std::int64_t i = begin; i < end; ++i) {
      const std::uint64_t key = from[static_cast<std::size_t>(i)];
      to[next[digitOf(key)]++] = key;
    }
  });
}

}  // namespace

SortedScores::SortedScores(std::vector<std::uint64_t> keys, const RunContext& context)
    : keys_(std::move(keys)) {
  if (keys_.size() <= kShortList) {
    std::sort(keys_.begin(), keys_.end());
    return;
  }
  const auto n = static_cast<std::int64_t>(keys_.size());
  const std::int64_t grain = std::max(kKeysPerPart, (n + kMaxParts - 1) / kMaxParts);
  // Digits in which all keys agree need no pass; scores from float32 have many of them.
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (const std::uint64_t key : keys_) {
    ones |= key;
    zeros |= ~key;
  }
  std::vector<DigitCounts> counts(static_cast<std::size_t>((n + grain - 1) / grain));
  std::vector<std::uint64_t> other(keys_.size());
  for (int shift = 0; shift < 64 && !context.cancelRequested(); shift += kDigitBits) {
    if (((ones & zeros) >> shift & (kDigits - 1)) != 0) {
      sortByDigit(keys_, other, shift, grain, counts, context);
      keys_.swap(other);
    }
  }
}

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

}  // namespace dubito
