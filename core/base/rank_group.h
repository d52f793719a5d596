// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// The processes ("ranks") that share one computation. Every rank makes the same calls in the same
/// order; each call waits for the others.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  /// This process, in [0, size()).
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Replaces the values by their sums over all ranks: the same bits on each.
  virtual void sum(std::span<double> values) = 0;
  /// The texts of all ranks, in their order.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Ends all processes at once, also those that wait for this one.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// What all ranks report when one of them fails: the failure of the lowest rank that has one (the
/// message names it where others have none), with kAgreedFailure before its context. Success where
/// all succeeded. A failure that was agreed on before is returned as it is, without asking again.
[[nodiscard]] Status agree(RankGroup& ranks, const Status& mine);
inline constexpr const char* kAgreedFailure = "agreed: ";

/// `text` as rank 0 has it.
[[nodiscard]] std::string fromFirst(RankGroup& ranks, const std::string& text);

/// Consecutive indices [begin, end).
struct IndexRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// What of `ranges` falls to `rank` of `size`: whole batches counted from the beginning of each
/// range, nearly equally many for every rank, in order.
[[nodiscard]] std::vector<IndexRange> shareOf(std::span<const IndexRange> ranges,
                                              std::int64_t batch, int rank, int size);

}  // namespace dubito
