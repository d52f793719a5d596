// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/laplace/posterior/posterior.h"

namespace dubito {

/// A prior precision that was chosen, with what a reader of the results must know of the choice.
struct ChosenPrior {
  double tau = 1.0;
  std::vector<std::string> notes = {};
};

/// The tau in [1e-8, 1e12] of the largest logEvidence(): a grid over log tau finds the highest
/// peak, golden sections its top (to 1e-6 relative). A largest value at the end of the range is
/// noted.
[[nodiscard]] ChosenPrior maximiseEvidence(const LaplacePosterior& posterior, double n);

}  // namespace dubito
