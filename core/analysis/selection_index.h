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
#include "core/metrics/item_ranking.h"
#include "core/metrics/run_reliability.h"

namespace dubito {

// Indexes that overviewOfSelection uses, computed once for all items. While the user drags in a
// plot, each pass over the items then only looks up small numbers instead of searching bins and
// sorting. Each index is built in a separate pass. Items are numbered part after part. All
// functions are blocking and meant for a worker thread; they may return kCancelled.

/// Group and histogram bins of every item. Depends only on the analysis. Takes 1 byte per item,
/// plus 2 per item and score.
struct SelectionColumns {
  static constexpr std::size_t kGroups = 4;  ///< of ItemGroup

  /// The histograms of one score.
  struct Score {
    std::size_t position = 0;   ///< in Overview::histograms
    std::vector<double> edges;  ///< shared by the groups
    /// [items] number of the bin and group of each item, see cell(); noCell() if it lacks the
    /// score.
    std::vector<std::uint16_t> cells;

    [[nodiscard]] std::size_t binCount() const { return edges.size() - 1; }
    [[nodiscard]] std::size_t cell(ItemGroup group, std::size_t bin) const {
      return static_cast<std::size_t>(group) * binCount() + bin;
    }
    [[nodiscard]] std::size_t noCell() const { return kGroups * binCount(); }
  };

  std::vector<ItemGroup> groups;  ///< [items]
  std::vector<Score> scores;
};
using SelectionColumnsPtr = std::shared_ptr<const SelectionColumns>;

[[nodiscard]] Expected<SelectionColumnsPtr> selectionColumns(const Analysis& analysis,
                                                             const RunContext& context);

/// Reliability bin and outcome of every item. Also depends on the options of the reliability
/// diagram, so it is rebuilt when they change. Takes 4 bytes per item.
struct JudgedItems {
  /// Bin and outcome of one item.
  class Place {
   public:
    /// An item that is not in the diagram.
    Place() = default;
    Place(std::size_t bin, bool is_right)
        : value_(2 * static_cast<std::uint32_t>(bin) + (is_right ? 1 : 0)) {}

    [[nodiscard]] bool isJudged() const { return value_ != kNotJudged; }
    [[nodiscard]] std::size_t bin() const { return value_ / 2; }
    [[nodiscard]] bool isRight() const { return value_ % 2 == 1; }

   private:
    static constexpr std::uint32_t kNotJudged = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value_ = kNotJudged;
  };

  ReliabilityPtr reliability;  ///< never null
  std::vector<double> edges;   ///< of its bins; empty without bins
  std::vector<Place> places;   ///< [items]; empty without bins

  [[nodiscard]] std::size_t binCount() const { return edges.empty() ? 0 : edges.size() - 1; }
};
using JudgedItemsPtr = std::shared_ptr<const JudgedItems>;

/// `reliability` must belong to `analysis` and not be null.
[[nodiscard]] Expected<JudgedItemsPtr> judgedItems(const Analysis& analysis,
                                                   const ReliabilityPtr& reliability,
                                                   const RunContext& context);

/// Order of the items by every score for which the Overview has curves. If an OOD part lacks a
/// score, the ranking by that score omits all OOD parts.
using ItemRankingsPtr = std::shared_ptr<const std::vector<ItemRanking>>;
[[nodiscard]] Expected<ItemRankingsPtr> rankingsOf(const Analysis& analysis,
                                                   const RunContext& context);

/// As which the curves count an item of `group`.
[[nodiscard]] ItemMark markOf(ItemGroup group);
/// From what the ROC and the precision-recall curve separate the correct items.
[[nodiscard]] ItemMark negativesOf(const Analysis& analysis);

/// The indexes that overviewOfSelection uses.
struct SelectionBasis {
  SelectionColumnsPtr columns;  ///< not null
  JudgedItemsPtr judged;        ///< null: no reliability diagram
  ItemRankingsPtr rankings;     ///< null: no curves
  /// `rankings`, or rankings of a sample of the items. If set, curves have only points
  /// (CurveDetail::kPoints); they are computed from these rankings if the selection contains enough
  /// of the sample.
  ItemRankingsPtr preview;
};

}  // namespace dubito
