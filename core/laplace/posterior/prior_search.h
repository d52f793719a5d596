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

/// Computes the probabilities [N, K] of a fixed set of items for the prior precision tau. If they
/// contain NaN, the searches skip this tau.
using ProbsAtTau = std::function<Expected<Array<float>>(double tau)>;

/// The tau with the smallest NLL over the items with a label >= 0, on a log grid in [1e-4, 1e6]
/// with four points per decade. Points whose NLL is not finite are skipped and counted in a note.
/// Fails with kUnsupported if no point is left, or kInvalidArgument if no item has a label.
[[nodiscard]] Expected<ChosenPrior> minimiseNll(const ProbsAtTau& probs_at,
                                                std::span<const std::int64_t> labels,
                                                RunContext& context);

/// The tau at which the mean confidence is (1 - share) times `map_confidence`, by bisection over
/// log tau in [1e-8, 1e12]. `probs_at` must return averages over draws. If no tau in the range
/// gives that confidence, returns the end that comes closest, with a note.
[[nodiscard]] Expected<ChosenPrior> matchConfidenceDrop(const ProbsAtTau& probs_at,
                                                        double map_confidence, double share,
                                                        RunContext& context);

/// Metrics as functions of the prior precision, one entry per grid point, for plots over log10 tau.
/// Values that are unknown (no labels) or not finite are NaN.
struct PriorLandscape {
  std::vector<double> log10_tau;
  std::vector<double> nll;
  std::vector<double> ece;  ///< 15 bins, equal width
  std::vector<double> evidence;
  std::vector<double> confidence;  ///< mean over the items
};

/// Computes the metrics on a grid of four points per decade in [1e-4, 1e6].
[[nodiscard]] Expected<PriorLandscape> priorLandscape(const LaplacePosterior& posterior, double n,
                                                      const ProbsAtTau& probs_at,
                                                      std::span<const std::int64_t> labels,
                                                      RunContext& context);

/// CSV text: a header and one line per point. NaN becomes an empty field.
[[nodiscard]] std::string toCsv(const PriorLandscape& landscape);

}  // namespace dubito
