// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/analysis.h"
#include "app/session/item_query.h"

namespace dubito {

/// What the plots of the Overview say of the selected items alone.
struct SelectionOverview {
  /// In the order, with the groups and over the edges of Overview::histograms; `total` counts the
  /// selected items of the group.
  std::vector<Overview::ScoreHistograms> histograms;
  ReliabilityDiagram reliability;  ///< over the bins of Overview::reliability
  std::int64_t correct = 0;
  std::int64_t misclassified = 0;
  std::int64_t ood = 0;
  std::int64_t unlabelled = 0;
  double mmc = 0.0;  ///< mean maximum confidence, OOD items among them; NaN where none is selected

  [[nodiscard]] std::int64_t itemCount() const {
    return correct + misclassified + ood + unlabelled;
  }
};
using SelectionOverviewPtr = std::shared_ptr<const SelectionOverview>;

/// One pass over the items that `query` asks for. Blocking; for a worker thread. kCancelled.
[[nodiscard]] Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis,
                                                                 const ItemQuery& query,
                                                                 RunContext& context);

}  // namespace dubito
