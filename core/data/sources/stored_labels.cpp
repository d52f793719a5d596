// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/stored_labels.h"

#include <fmt/format.h>

#include <algorithm>

namespace dubito {

Expected<std::vector<std::int64_t>> labelsFromArray(const AnyArray& array,
                                                    const std::string& name) {
  const Expected<Array<std::int64_t>> labels = toInt64(array, name);
  if (!labels) {
    return failWith(labels);
  }
  const auto values = labels->values();
  const auto wrong = std::ranges::find_if(values, [](std::int64_t value) { return value < -1; });
  if (wrong != values.end()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: label {} is {}; classes are numbered from 0, and -1 means unknown",
                            name, wrong - values.begin(), *wrong));
  }
  return std::vector<std::int64_t>(values.begin(), values.end());
}

}  // namespace dubito
