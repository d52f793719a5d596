// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// A selected prior precision, with notes on the selection for readers of the results.
struct ChosenPrior {
  double tau = 1.0;
  std::vector<std::string> notes = {};
};

/// The tau in [1e-8, 1e12] that maximises logEvidence(): a grid over log tau finds the highest
/// peak, golden-section search refines it (to 1e-6 relative). A maximum at the end of the range is
/// noted.
[[nodiscard]] ChosenPrior maximiseEvidence(const LaplacePosterior& posterior, double n);

}  // namespace dubito
