// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "core/analysis/selection_index.h"

namespace dubito {

/// The data of the Overview plots, restricted to the selected items.
struct SelectionOverview {
  /// Same order, groups and edges as Overview::histograms; `total` is the number of selected items
  /// of the group.
  std::vector<Overview::ScoreHistograms> histograms;
  ReliabilityDiagram reliability;  ///< over the bins of SelectionBasis::judged
  std::int64_t correct = 0;
  std::int64_t misclassified = 0;
  std::int64_t ood = 0;
  std::int64_t unlabelled = 0;
  /// One curve per ranking, in order; empty if a group is empty, as in Overview. The curves have no
  /// summaries if SelectionBasis::preview is set.
  std::vector<Curve> roc, precision_recall, rejection;
  double positive_share = 0.0;  ///< baseline of the precision-recall plot; NaN if it has none
  double mmc = 0.0;  ///< mean maximum confidence, including OOD items; NaN if none is selected

  [[nodiscard]] std::int64_t itemCount() const {
    return correct + misclassified + ood + unlabelled;
  }
};
using SelectionOverviewPtr = std::shared_ptr<const SelectionOverview>;

/// One pass over the items that match `query`, and a second one over their ranks for the curves.
/// Blocking; for a worker thread. kCancelled.
[[nodiscard]] Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis,
                                                                 const ItemQuery& query,
                                                                 const SelectionBasis& basis,
                                                                 RunContext& context);

/// Appends those of the curves, one score after the other, that have points.
void addCurves(std::vector<RankedCurves> curves, SelectionOverview& overview);

}  // namespace dubito
