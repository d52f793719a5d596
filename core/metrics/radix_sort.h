// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/collect_parts.h"
#include "core/base/run_context.h"

namespace dubito {

[[nodiscard]] inline std::uint64_t sortKeyOf(std::uint64_t key) {
  return key;
}

/// One pass of radixSort.
template <class Entry>
class DigitPass {
 public:
  static constexpr int kBits = 11;

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

/// The bits in which the keys differ.
template <class Entry>
std::uint64_t differingBits(const std::vector<Entry>& entries, const RunContext& context) {
  struct Bits {
    std::uint64_t ones = 0;
    std::uint64_t zeros = 0;
  };
  const auto parts = collectParts(std::ssize(entries), kItemsPerPart, Bits{}, context,
                                  [&](std::int64_t begin, std::int64_t end, Bits& bits) {
                                    for (auto i = static_cast<std::size_t>(begin);
                                         i < static_cast<std::size_t>(end); ++i) {
                                      const std::uint64_t key = sortKeyOf(entries[i]);
                                      bits.ones |= key;
                                      bits.zeros |= ~key;
                                    }
                                  });
  Bits all;
  for (const Bits& part : parts) {
    all.ones |= part.ones;
    all.zeros |= part.zeros;
  }
  return all.ones & all.zeros;
}

/// Stable sort of a few entries.
template <class Iterator>
void sortRun(Iterator begin, Iterator end) {
  constexpr std::ptrdiff_t kShortRun = 24;
  const auto isBefore = [](const auto& a, const auto& b) { return sortKeyOf(a) < sortKeyOf(b); };
  if (end - begin > kShortRun) {
    if (!std::is_sorted(begin, end, isBefore)) {  // as equal scores are
      std::stable_sort(begin, end, isBefore);
    }
    return;
  }
  for (Iterator next = begin + 1; next != end; ++next) {
    const auto entry = *next;
    Iterator place = next;
    for (; place != begin && isBefore(entry, *(place - 1)); --place) {
      *place = *(place - 1);
    }
    *place = entry;
  }
}

/// Completes a stable sort by the bits of the keys from `rest_bits` on: sorts every run of entries
/// that agree in these by the others.
template <class Entry>
void sortRuns(std::vector<Entry>& entries, int rest_bits, const RunContext& context) {
  const auto beginsRun = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    return i == 0 || (sortKeyOf(entries[at]) ^ sortKeyOf(entries[at - 1])) >> rest_bits != 0;
  };
  const std::int64_t count = std::ssize(entries);
  // Found before any part begins to move entries.
  std::vector<std::int64_t> starts =
      collectParts(count, kItemsPerPart, count, context,
                   [&](std::int64_t begin, std::int64_t end, std::int64_t& start) {
                     for (; begin < end && !beginsRun(begin); ++begin) {
                     }
                     start = begin < end ? begin : count;
                   });
  for (std::size_t part = starts.size(); part-- > 1;) {
    starts[part - 1] = std::min(starts[part - 1], starts[part]);
  }
  starts.push_back(count);
  context.forEach(starts.size() - 1, [&](std::size_t part) {
    std::int64_t begin = starts[part];
    while (begin < starts[part + 1] && !context.cancelRequested()) {
      std::int64_t end = begin + 1;
      while (end < starts[part + 1] && !beginsRun(end)) {
        ++end;
      }
      sortRun(entries.begin() + begin, entries.begin() + end);
      begin = end;
    }
  });
}

/// Stable sort in ascending order of std::uint64_t sortKeyOf(const Entry&), on the context's
/// threads, with a second list of the same length: three passes by the upper 33 of the bits in
/// which keys differ, which tell nearly all scores apart, and one over what is left. A cancel takes
/// effect within a fraction of a pass. After a cancel, the order is undefined.
template <class Entry>
void radixSort(std::vector<Entry>& entries, const RunContext& context) {
  constexpr std::size_t kShortList = 4096;
  constexpr int kPasses = 3;
  if (entries.size() <= kShortList) {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return sortKeyOf(a) < sortKeyOf(b); });
    return;
  }
  using Pass = DigitPass<Entry>;
  const std::uint64_t differing = differingBits(entries, context);
  const auto bits = static_cast<int>(std::bit_width(differing));
  const int rest_bits = std::max(bits - kPasses * Pass::kBits, 0);
  Pass pass(entries.size());
  std::vector<Entry> other(entries.size());
  for (int shift = rest_bits; shift < bits && !context.cancelRequested(); shift += Pass::kBits) {
    if (Pass::digitOf(differing, shift) != 0) {
      pass.sort(entries, other, shift, context);
      entries.swap(other);
    }
  }
  if ((differing & ((std::uint64_t{1} << rest_bits) - 1)) != 0 && !context.cancelRequested()) {
    sortRuns(entries, rest_bits, context);
  }
}

}  // namespace dubito
