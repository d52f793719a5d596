// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"
#include "core/analysis/selection_index.h"

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
  /// One curve per ranking, in the order given; empty if a group is, as in Overview. Points alone
  /// where there is a SelectionBasis::preview.
  std::vector<Curve> roc, precision_recall, rejection;
  double positive_share = 0.0;  ///< baseline of the precision-recall plot; NaN if it has none
  double mmc = 0.0;  ///< mean maximum confidence, OOD items among them; NaN if none is selected

  [[nodiscard]] std::int64_t itemCount() const {
    return correct + misclassified + ood + unlabelled;
  }
};
using SelectionOverviewPtr = std::shared_ptr<const SelectionOverview>;

/// One pass over the items that `query` asks for, and a second one over their places for the
/// curves. Blocking; for a worker thread. kCancelled.
[[nodiscard]] Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis,
                                                                 const ItemQuery& query,
                                                                 const SelectionBasis& basis,
                                                                 RunContext& context);

}  // namespace dubito
