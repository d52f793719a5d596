// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/laplace/posterior/evidence_search.h"

namespace dubito {

/// Probabilities [N, K] of a fixed set of items under the prior precision tau. Rows may be NaN; the
/// searches skip such a tau.
using ProbsAtTau = std::function<Expected<Array<float>>(double tau)>;

/// The tau with the smallest NLL on a log grid in [1e-4, 1e6] (four points per decade), over the
/// items with a label >= 0. Points with an NLL that is not finite are skipped and counted in the
/// notes; kUnsupported if no point is left, kInvalidArgument if no item has a label.
[[nodiscard]] Expected<ChosenPrior> minimiseNll(const ProbsAtTau& probs_at,
                                                std::span<const std::int64_t> labels,
                                                RunContext& context);

/// The tau at which the mean confidence is (1 - share) of `map_confidence`, by bisection over
/// log tau in [1e-8, 1e12]; `probs_at` returns averages over samples. If there is no such tau, the
/// closest end, with a note.
[[nodiscard]] Expected<ChosenPrior> matchConfidenceDrop(const ProbsAtTau& probs_at,
                                                        double map_confidence, double share,
                                                        RunContext& context);

/// Results as functions of the prior precision, one entry per point, ready to plot over log10 tau.
/// Values that are unknown (no labels) or not finite are NaN.
struct PriorLandscape {
  std::vector<double> log10_tau;
  std::vector<double> nll;
  std::vector<double> ece;  ///< 15 bins, equal width
  std::vector<double> evidence;
  std::vector<double> confidence;  ///< mean
};

/// The landscape at four points per decade in [1e-4, 1e6].
[[nodiscard]] Expected<PriorLandscape> priorLandscape(const LaplacePosterior& posterior, double n,
                                                      const ProbsAtTau& probs_at,
                                                      std::span<const std::int64_t> labels,
                                                      RunContext& context);

/// A header and one line per point; NaN becomes an empty field.
[[nodiscard]] std::string toCsv(const PriorLandscape& landscape);

}  // namespace dubito
