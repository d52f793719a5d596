// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/rows_that_fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {

Status RowsThatFit::walk(std::int64_t count, const std::function<std::int64_t()>& max_rows,
                         const Pass& pass) {
  for (std::int64_t begin = 0; begin < count;) {
    const std::int64_t rows = std::min({count - begin, limit_, max_rows()});
    Status passed = pass(begin, begin + rows);
    if (passed) {
      begin += rows;
      continue;
    }
    if (passed.error().code != ErrorCode::kOutOfMemory || rows == 1 || !may_halve_) {
      return passed;
    }
    limit_ = rows / 2;
  }
  return {};
}

Status RowsThatFit::walk(std::int64_t count, const Pass& pass) {
  return walk(
      count, [count] { return count; }, pass);
}

std::vector<std::string> RowsThatFit::notes() const {
  if (limit_ == std::numeric_limits<std::int64_t>::max()) {
    return {};
  }
  return {fmt::format("Memory ran out, so at most {} items were run through the network at a time",
                      limit_)};
}

}  // namespace dubito
