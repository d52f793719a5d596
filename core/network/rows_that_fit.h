// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Controls how many items of a batch run through a network at a time: all items at first, and
/// fewer once memory has run out.
class RowsThatFit {
 public:
  /// `may_halve`: false for models whose results depend on the items in the same pass.
  explicit RowsThatFit(bool may_halve) : may_halve_(may_halve) {}

  /// Computes the rows [begin, end) of a batch. Must have no effect if it returns kOutOfMemory.
  using Pass = std::function<Status(std::int64_t begin, std::int64_t end)>;
  /// Calls `pass` for consecutive ranges that cover the rows [0, count), at most max_rows() rows at
  /// a time. If `pass` returns kOutOfMemory for several rows, their number is halved for this and
  /// all later calls; if a single row does not fit, that error is returned. Any other error is
  /// returned at once.
  [[nodiscard]] Status walk(std::int64_t count, const std::function<std::int64_t()>& max_rows,
                            const Pass& pass);
  /// As above, limited only by memory.
  [[nodiscard]] Status walk(std::int64_t count, const Pass& pass);

  /// A note if batches had to be split; else empty.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  bool may_halve_;
  std::int64_t limit_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace dubito
