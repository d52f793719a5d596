// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// Parameters of the uncertainty-aware top-k set.
struct TopKRule {
  double threshold = 0.05;  ///< T in (0, 1): T/2 of each marginal lies outside
  std::int64_t most = 10;   ///< maximum size of a set, >= 1
};

/// Classes of Dir(alpha) that overlap with the likeliest one (theory, section 7), in descending
/// alpha (ties: the lowest class first). Class i is included as long as the upper T/2 quantile of
/// its marginal exceeds the lower T/2 quantile of the previous class. At least one class. Throws
/// std::invalid_argument if K < 2, an alpha is not positive and finite, or the rule is invalid.
[[nodiscard]] std::vector<std::int64_t> topK(std::span<const double> alpha,
                                             const TopKRule& rule = {});

}  // namespace dubito
