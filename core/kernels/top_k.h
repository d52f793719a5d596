// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/measures/top_k.h"

namespace dubito {

/// The uncertainty-aware top-k sets of N items.
struct TopKSets {
  Array<std::int64_t> length;   ///< [N], classes of the set
  Array<std::int64_t> classes;  ///< [N, L], most likely first, -1 behind the last; L = min(most, K)
};

/// topK of every row of log alpha [N, K], K >= 2, on the context's threads; where the context is
/// cancelled the rest of the items stays zero. Throws std::invalid_argument as topK, and for
/// another rank.
[[nodiscard]] TopKSets topKSets(const Array<float>& log_alpha, const TopKRule& rule,
                                const RunContext& context);

/// Quantiles [N, K] at probability p in (0, 1) of the Beta marginals of Dirichlets with log alpha
/// [N, K], K >= 2 (0 where they are below the range of double), on the context's threads; where the
/// context is cancelled the rest of the items stays zero. Throws std::invalid_argument for another
/// rank or p.
[[nodiscard]] Array<double> marginalQuantiles(const Array<float>& log_alpha, double p,
                                              const RunContext& context);

}  // namespace dubito
