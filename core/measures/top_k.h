// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// Parameters of the uncertainty-aware top-k set.
struct TopKRule {
  double threshold = 0.05;        ///< T in (0, 1): tail probability of the marginals, T/2 per side
  std::int64_t max_classes = 10;  ///< maximum size of a set, >= 1
};

/// The uncertainty-aware top-k set of Dir(alpha) (theory, section 7), in descending alpha (ties:
/// the lowest class first). It starts with the most likely class; each next class is included as
/// long as its alpha equals that of the previous class, or the upper T/2 quantile of its marginal
/// exceeds the lower T/2 quantile of the previous class. Throws std::invalid_argument if K < 2, an
/// alpha is not positive and finite, or the rule is invalid.
[[nodiscard]] std::vector<std::int64_t> topK(std::span<const double> alpha,
                                             const TopKRule& rule = {});

}  // namespace dubito
