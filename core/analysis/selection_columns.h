// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// What counting a selection asks of every item of an analysis, answered once: the pass over the
/// items that follows a mouse then reads small numbers and searches no bins. Takes 1 byte an item,
/// and 2 more a score. Items are counted part after part.
struct SelectionColumns {
  static constexpr std::uint16_t kNoBin = std::numeric_limits<std::uint16_t>::max();

  /// The bins of a score's histograms.
  struct Score {
    std::size_t position = 0;           ///< in Overview::histograms
    std::vector<double> edges;          ///< that the groups share
    std::vector<std::uint16_t> bin_of;  ///< [items], kNoBin where an item lacks the score
  };

  std::vector<ItemGroup> groups;  ///< [items]
  std::vector<Score> scores;

  /// Of the score that has most; 0 without one.
  [[nodiscard]] std::size_t mostBins() const;
};
using SelectionColumnsPtr = std::shared_ptr<const SelectionColumns>;

/// Blocking; for a worker thread. kCancelled.
[[nodiscard]] Expected<SelectionColumnsPtr> selectionColumns(const Analysis& analysis,
                                                             const RunContext& context);

}  // namespace dubito
