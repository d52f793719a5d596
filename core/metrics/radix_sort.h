// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/run_context.h"

namespace dubito {

[[nodiscard]] inline std::uint64_t sortKeyOf(std::uint64_t key) {
  return key;
}

/// One pass of radixSort.
template <class Entry>
class DigitPass {
 public:
  static constexpr int kBits = 8;

  explicit DigitPass(std::size_t entries)
      : entries_(static_cast<std::int64_t>(entries)),
        grain_(std::max(kEntriesPerPart, (entries_ + kMaxParts - 1) / kMaxParts)),
        counts_(static_cast<std::size_t>((entries_ + grain_ - 1) / grain_)) {}

  [[nodiscard]] static std::size_t digitOf(std::uint64_t key, int shift) {
    return static_cast<std::size_t>(key >> shift) & (kDigits - 1);
  }

  /// Stable sort of `from` by the digit at `shift` into `to`.
  void sort(const std::vector<Entry>& from, std::vector<Entry>& to, int shift,
            const RunContext& context) {
    context.parallelFor(entries_, grain_, [&](std::int64_t begin, std::int64_t end) {
      DigitCounts& count = counts_[static_cast<std::size_t>(begin / grain_)];
      count.fill(0);
      if (context.cancelRequested()) {
        return;
      }
      for (std::int64_t i = begin; i < end; ++i) {
        ++count[digitOf(sortKeyOf(from[static_cast<std::size_t>(i)]), shift)];
      }
    });
    if (context.cancelRequested()) {
      return;
    }
    std::size_t start = 0;
    for (std::size_t digit = 0; digit < kDigits; ++digit) {
      for (DigitCounts& count : counts_) {
        start += std::exchange(count[digit], start);
      }
    }
    context.parallelFor(entries_, grain_, [&](std::int64_t begin, std::int64_t end) {
      if (context.cancelRequested()) {
        return;
      }
      DigitCounts next = counts_[static_cast<std::size_t>(begin / grain_)];
      for (std::int64_t i = begin; i < end; ++i) {
        const Entry& entry = from[static_cast<std::size_t>(i)];
        to[next[digitOf(sortKeyOf(entry), shift)]++] = entry;
      }
    });
  }

 private:
  static constexpr std::size_t kDigits = std::size_t{1} << kBits;
  static constexpr std::int64_t kEntriesPerPart = std::int64_t{1} << 16;
  // Keeps the counters of all parts small compared with the entries.
  static constexpr std::int64_t kMaxParts = 256;

  using DigitCounts = std::array<std::size_t, kDigits>;

  std::int64_t entries_;
  std::int64_t grain_;
  std::vector<DigitCounts> counts_;
};

/// Stable sort in ascending order of std::uint64_t sortKeyOf(const Entry&), on the context's
/// threads, with a second list of the same length. For 10 million entries this takes a few dozen
/// passes over them; a cancel takes effect within a fraction of a pass. After a cancel, the order
/// is undefined.
template <class Entry>
void radixSort(std::vector<Entry>& entries, const RunContext& context) {
  constexpr std::size_t kShortList = 4096;
  if (entries.size() <= kShortList) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return sortKeyOf(a) < sortKeyOf(b); });
    return;
  }
  // Digits in which all keys agree need no pass; scores from float32 have many of them.
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (const Entry& entry : entries) {
    const std::uint64_t key = sortKeyOf(entry);
    ones |= key;
    zeros |= ~key;
  }
  using Pass = DigitPass<Entry>;
  Pass pass(entries.size());
  std::vector<Entry> other(entries.size());
  for (int shift = 0; shift < 64 && !context.cancelRequested(); shift += Pass::kBits) {
    if (Pass::digitOf(ones & zeros, shift) != 0) {
      pass.sort(entries, other, shift, context);
      entries.swap(other);
    }
  }
}

}  // namespace dubito
