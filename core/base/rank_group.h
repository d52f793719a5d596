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

  /// Number of this process, in [0, size()).
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Replaces the values by their sums over all ranks, bitwise the same on each.
  virtual void sum(std::span<double> values) = 0;
  /// The texts of all ranks, in rank order.
  [[nodiscard]] virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Ends all processes at once, including those that wait for this one.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// Makes all ranks return the same result: success if all succeeded, else the failure of the lowest
/// failed rank (the message names it unless all failed), with kAgreedFailure prefixed to its
/// context. A failure that was agreed on before is returned unchanged, without communication.
[[nodiscard]] Status agree(RankGroup& ranks, const Status& mine);
inline constexpr const char* kAgreedFailure = "agreed: ";

/// The text of rank 0.
[[nodiscard]] std::string fromFirst(RankGroup& ranks, const std::string& text);

/// The indices [begin, end).
struct IndexRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// The part of `ranges` that `rank` of `size` processes: whole batches counted from the beginning
/// of each range, nearly equally many per rank, in order.
[[nodiscard]] std::vector<IndexRange> shareOf(std::span<const IndexRange> ranges,
                                              std::int64_t batch, int rank, int size);

}  // namespace dubito
