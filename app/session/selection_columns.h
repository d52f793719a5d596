// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "app/session/analysis.h"
#include "app/session/item_query.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/metrics/reliability.h"

namespace dubito {

/// What counting a selection asks of every item, answered once: the pass over the items that
/// follows a mouse then reads small numbers and searches no bins. Takes 5 bytes an item, and 2 more
/// a score. Items are counted part after part.
struct SelectionColumns {
  static constexpr std::uint16_t kNoBin = std::numeric_limits<std::uint16_t>::max();

  /// Where an item stands in a reliability diagram.
  class Judged {
   public:
    /// Not in it.
    Judged() = default;
    Judged(std::size_t bin, bool is_right)
        : value_(2 * static_cast<std::uint32_t>(bin) + (is_right ? 1 : 0)) {}

    [[nodiscard]] bool isJudged() const { return value_ != kNot; }
    [[nodiscard]] std::size_t bin() const { return value_ / 2; }
    [[nodiscard]] bool isRight() const { return value_ % 2 == 1; }

   private:
    static constexpr std::uint32_t kNot = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value_ = kNot;
  };

  /// The bins of a score's histograms.
  struct Score {
    std::size_t position = 0;           ///< in Overview::histograms
    std::vector<double> edges;          ///< that the groups share
    std::vector<std::uint16_t> bin_of;  ///< [items], kNoBin where an item lacks the score
  };

  std::vector<ItemGroup> groups;  ///< [items]
  std::vector<Score> scores;
  ReliabilityPtr reliability;  ///< the diagram of `judged`; may be null
  std::vector<double> reliability_edges;
  std::vector<Judged> judged;  ///< [items], empty where the diagram has no bins

  /// Of the score that has most; 0 without one.
  [[nodiscard]] std::size_t mostBins() const;
  [[nodiscard]] std::size_t reliabilityBinCount() const {
    return reliability_edges.empty() ? 0 : reliability_edges.size() - 1;
  }
};
using SelectionColumnsPtr = std::shared_ptr<const SelectionColumns>;

/// Blocking; for a worker thread. `reliability` of the analysis, or null. kCancelled.
[[nodiscard]] Expected<SelectionColumnsPtr> selectionColumns(const Analysis& analysis,
                                                             const ReliabilityPtr& reliability,
                                                             const RunContext& context);

}  // namespace dubito
