// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "core/analysis/judged_items.h"
#include "core/analysis/selection_columns.h"
#include "core/metrics/item_ranking.h"

namespace dubito {

/// What the plots of the Overview say of the selected items alone.
struct SelectionOverview {
  /// In the order, with the groups and over the edges of Overview::histograms; `total` counts the
  /// selected items of the group.
  std::vector<Overview::ScoreHistograms> histograms;
  ReliabilityDiagram reliability;  ///< over the bins of SelectionBasis::judged
  std::int64_t correct = 0;
  std::int64_t misclassified = 0;
  std::int64_t ood = 0;
  std::int64_t unlabelled = 0;
  /// One curve a ranking, in the order given; empty where a group is, as in Overview. Points
  /// alone where there is a SelectionBasis::preview.
  std::vector<Curve> roc, precision_recall, rejection;
  double positive_share = 0.0;  ///< baseline of the precision-recall plot; NaN where it has none
  double mmc = 0.0;  ///< mean maximum confidence, OOD items among them; NaN where none is selected

  [[nodiscard]] std::int64_t itemCount() const {
    return correct + misclassified + ood + unlabelled;
  }
};
using SelectionOverviewPtr = std::shared_ptr<const SelectionOverview>;

using ItemRankingsPtr = std::shared_ptr<const std::vector<ItemRanking>>;
/// The items of an analysis ranked by every score that its Overview draws curves of; without the
/// OOD parts where one of them lacks the score. What the curves of selections need, made once an
/// analysis. Blocking; for a worker thread. kCancelled.
[[nodiscard]] Expected<ItemRankingsPtr> rankingsOf(const Analysis& analysis,
                                                   const RunContext& context);

/// What is known of all items of an analysis.
struct SelectionBasis {
  SelectionColumnsPtr columns;  ///< not null
  JudgedItemsPtr judged;        ///< null: no reliability diagram
  ItemRankingsPtr rankings;     ///< null: no curves
  /// Those, or of a sample of the items: with it the curves are points alone
  /// (CurveDetail::kPoints), of the sample where enough of it is selected.
  ItemRankingsPtr preview;
};

/// One pass over the items that `query` asks for, and a second one over their places for the
/// curves. Blocking; for a worker thread. kCancelled.
[[nodiscard]] Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis,
                                                                 const ItemQuery& query,
                                                                 const SelectionBasis& basis,
                                                                 RunContext& context);

}  // namespace dubito
