// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/top_k.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>

#include "core/kernels/logit_covariance.h"
#include "core/measures/beta_quantile.h"
#include "core/measures/laplace_bridge.h"
#include "core/measures/sums_of_others.h"

namespace dubito {
namespace {

// A quantile takes about as long as so many additions.
constexpr std::int64_t kCostOfQuantile = 256;

void requireRows(const Array<float>& log_alpha) {
  if (log_alpha.rank() != 2 || log_alpha.extent(1) < 2) {
    throw std::invalid_argument("Dirichlets need log alpha [N, K] with K >= 2");
  }
}

std::vector<double> alphaOfRow(const Array<float>& log_alpha, std::int64_t row) {
  const std::span<const float> values = log_alpha.row(row);
  return alphaFromLog(std::vector<double>(values.begin(), values.end()));
}

}  // namespace

TopKSets topKSets(const Array<float>& log_alpha, const TopKRule& rule, const RunContext& context) {
  requireRows(log_alpha);
  const std::int64_t items = log_alpha.extent(0);
  const std::int64_t most = std::min(rule.most, log_alpha.extent(1));
  TopKSets sets{Array<std::int64_t>::zeros({items}),
                Array<std::int64_t>::zeros({items, std::max<std::int64_t>(most, 0)})};
  context.parallelFor(
      items, rowsAPart(log_alpha.extent(1) + kCostOfQuantile),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
          const std::vector<std::int64_t> kept = topK(alphaOfRow(log_alpha, row), rule);
          sets.length.mutableData()[row] = static_cast<std::int64_t>(kept.size());
          const std::span<std::int64_t> classes = sets.classes.mutableRow(row);
          std::ranges::fill(classes, std::int64_t{-1});
          std::ranges::copy(kept, classes.begin());
        }
      });
  return sets;
}

Array<double> marginalQuantiles(const Array<float>& log_alpha, double p,
                                const RunContext& context) {
  requireRows(log_alpha);
  if (!(p > 0.0) || !(p < 1.0)) {
    throw std::invalid_argument("marginalQuantiles: a probability in (0, 1) is needed");
  }
  Array<double> quantiles = Array<double>::zeros(log_alpha.shape());
  context.parallelFor(log_alpha.extent(0), rowsAPart(log_alpha.extent(1) * kCostOfQuantile),
                      [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t row = begin; row < end && !context.cancelRequested();
                             ++row) {
                          const std::vector<double> alpha = alphaOfRow(log_alpha, row);
                          const std::vector<double> rest = sumsOfOthers(alpha);
                          for (std::size_t k = 0; k < alpha.size(); ++k) {
                            quantiles.mutableRow(row)[k] = betaQuantile(alpha[k], rest[k], p).x();
                          }
                        }
                      });
  return quantiles;
}

}  // namespace dubito
