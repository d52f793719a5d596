// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/top_k.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "core/measures/beta_distribution.h"
#include "core/measures/measures.h"

namespace dubito {

std::vector<std::int64_t> topK(std::span<const double> alpha, const TopKRule& rule) {
  if (alpha.size() < 2 || !std::all_of(alpha.begin(), alpha.end(), [](double value) {
        return value > 0.0 && std::isfinite(value);
      })) {
    throw std::invalid_argument("topK: needs two or more positive, finite alphas");
  }
  if (!(rule.threshold > 0.0) || !(rule.threshold < 1.0) || rule.max_classes < 1) {
    throw std::invalid_argument("topK: needs a threshold in (0, 1) and at least one class");
  }
  std::vector<std::int64_t> order(alpha.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto alphaOf = [&](std::int64_t k) { return alpha[static_cast<std::size_t>(k)]; };
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t left, std::int64_t right) {
    return alphaOf(left) > alphaOf(right);
  });
  const std::vector<double> rest = sumsOfOthers(alpha);
  const auto quantile = [&](std::int64_t k, double p) {
    return betaQuantile(alphaOf(k), rest[static_cast<std::size_t>(k)], p);
  };
  // Equal alphas overlap, even if the two quantiles are equal in double precision.
  const auto overlap = [&](std::int64_t before, std::int64_t next) {
    return alphaOf(next) == alphaOf(before) ||
           quantile(next, 1.0 - 0.5 * rule.threshold) > quantile(before, 0.5 * rule.threshold);
  };
  std::size_t kept = 1;
  const auto max_kept = std::min(order.size(), static_cast<std::size_t>(rule.max_classes));
  while (kept < max_kept && overlap(order[kept - 1], order[kept])) {
    ++kept;
  }
  order.resize(kept);
  return order;
}

}  // namespace dubito
