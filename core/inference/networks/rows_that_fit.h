// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// How many items of a batch pass through a network together: all of them, until memory runs out.
class RowsThatFit {
 public:
  /// `may_halve`: false for models whose results depend on the items that share a pass.
  explicit RowsThatFit(bool may_halve) : may_halve_(may_halve) {}

  /// Computes the rows [begin, end) of a batch. kOutOfMemory leaves nothing behind.
  using Pass = std::function<Status(std::int64_t begin, std::int64_t end)>;
  /// Calls `pass` until the rows [0, count) are done, on at most most() rows at a time. Where it
  /// returns kOutOfMemory for several rows, it and all later calls get half as many; the last error
  /// is returned where a single row does not fit. Any other error ends the walk.
  [[nodiscard]] Status walk(std::int64_t count, const std::function<std::int64_t()>& most,
                            const Pass& pass);
  [[nodiscard]] Status walk(std::int64_t count, const Pass& pass);

  /// That items were passed in smaller parts, where they were.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  bool may_halve_;
  std::int64_t limit_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace dubito
