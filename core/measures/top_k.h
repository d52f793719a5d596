// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// How the uncertainty-aware top-k set is cut.
struct TopKRule {
  double threshold = 0.05;  ///< T in (0, 1): a share of T/2 of each marginal lies outside
  std::int64_t most = 10;   ///< classes that a set has at most, >= 1
};

/// Classes of Dir(alpha) that overlap with the likeliest one (theory, section 7): sorted by
/// descending alpha (ties: the lowest class first), class i is kept while the upper T/2 quantile of
/// its marginal exceeds the lower T/2 quantile of the class before it. At least one class. Throws
/// std::invalid_argument where K < 2, an alpha is not positive and finite, or the rule cannot be.
[[nodiscard]] std::vector<std::int64_t> topK(std::span<const double> alpha,
                                             const TopKRule& rule = {});

}  // namespace dubito
