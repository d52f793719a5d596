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

/// Probabilities [N, K] of a fixed set of items under the prior precision tau. Rows that are no
/// numbers are allowed: the searches pass such a tau over.
using ProbsAtTau = std::function<Expected<Array<float>>(double tau)>;

/// How many tau the searches try.
inline constexpr int kPriorsOfNll = 41;
inline constexpr int kPriorsOfConfidenceDrop = 30;

/// The tau of a log grid in [1e-4, 1e6] (four points a decade) with the smallest NLL, of the items
/// with a label >= 0. Points whose NLL is not finite are passed over and counted in the notes;
/// kUnsupported where there is no other, kInvalidArgument where no item has a label.
[[nodiscard]] Expected<ChosenPrior> minimiseNll(const ProbsAtTau& probs_at,
                                                std::span<const std::int64_t> labels,
                                                RunContext& context);

/// The tau at which the mean confidence is (1 - share) of `confidence_of_map`, by bisection over
/// log tau in [1e-8, 1e12]; `probs_at` gives averages of samples. Where no tau does that, the
/// closest end, with a note.
[[nodiscard]] Expected<ChosenPrior> matchConfidenceDrop(const ProbsAtTau& probs_at,
                                                        double confidence_of_map, double share,
                                                        RunContext& context);

/// How results depend on the prior precision: one entry a point, ready to plot over log10 tau.
/// What cannot be known (no labels) or is not finite is NaN.
struct PriorLandscape {
  std::vector<double> log10_tau;
  std::vector<double> nll;
  std::vector<double> ece;  ///< 15 bins, equal width
  std::vector<double> evidence;
  std::vector<double> confidence;  ///< mean
};

/// The landscape at four points a decade of [1e-4, 1e6].
[[nodiscard]] Expected<PriorLandscape> priorLandscape(const LaplacePosterior& posterior, double n,
                                                      const ProbsAtTau& probs_at,
                                                      std::span<const std::int64_t> labels,
                                                      RunContext& context);

/// One line a point, with a header; NaN as an empty field.
[[nodiscard]] std::string toCsv(const PriorLandscape& landscape);

}  // namespace dubito
