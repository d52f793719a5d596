// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// A selected prior precision, with notes for the user on how it was selected.
struct ChosenPrior {
  double tau = 1.0;
  std::vector<std::string> notes = {};
};

/// The tau in [1e-8, 1e12] that maximises logEvidence() for `n` items. A grid over log tau finds
/// the highest peak, which a golden-section search refines to 1e-6 relative. A note reports a
/// maximum at an end of the range.
[[nodiscard]] ChosenPrior maximiseEvidence(const LaplacePosterior& posterior, double n);

}  // namespace dubito
