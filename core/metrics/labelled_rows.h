// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// Indices of the rows of a table [N, K] that have a known (non-negative) label. Throws
/// std::invalid_argument if the shapes do not match or a label is >= K.
template <class T>
[[nodiscard]] std::vector<std::int64_t> labelledRows(const Array<T>& table,
                                                     std::span<const std::int64_t> labels) {
  if (table.rank() != 2 || table.extent(1) < 1 ||
      table.extent(0) != static_cast<std::int64_t>(labels.size())) {
    throw std::invalid_argument("labelledRows: needs a table [N, K] and N labels");
  }
  std::vector<std::int64_t> rows;
  rows.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= table.extent(1)) {
      throw std::invalid_argument("labelledRows: a label is not below the number of classes");
    }
    if (labels[i] >= 0) {
      rows.push_back(static_cast<std::int64_t>(i));
    }
  }
  return rows;
}

}  // namespace dubito
