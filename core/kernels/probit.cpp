// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/probit.h"

#include <algorithm>
#include <vector>

#include "core/kernels/covariance_reader.h"
#include "core/kernels/logit_covariance.h"
#include "core/measures/probit.h"

namespace dubito {
namespace {

/// The sigmoid of the difference of the two logits.
Array<double> probsOfTwoClasses(const LogitGaussians& gaussians, std::int64_t items,
                                const RunContext& context) {
  constexpr std::int64_t kClasses = 2;
  Array<double> probs = Array<double>::zeros({items, kClasses});
  const CovarianceReader reader(gaussians);
  context.parallelFor(items, rowsPerTask(kClasses), [&](std::int64_t begin, std::int64_t end) {
    CovarianceSums sums;
    for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
      reader.read(row, sums);
      const auto mean = gaussians.mean.row(row);
      // Var[z_0 - z_1] = 2 (Sigma_00 + Sigma_11) - 1' Sigma 1; rounding may take it below 0.
      const double variance = 2.0 * (sums.variance[0] + sums.variance[1]) - sums.total;
      std::ranges::copy(
          probitOfTwoClasses(double{mean[0]} - double{mean[1]}, variance < 0.0 ? 0.0 : variance),
          probs.mutableRow(row).begin());
    }
  });
  return probs;
}

}  // namespace

Array<double> probitProbs(const LogitGaussians& gaussians, const RunContext& context) {
  const auto [items, classes] = checkedShape(gaussians);
  if (classes == 2) {
    return probsOfTwoClasses(gaussians, items, context);
  }
  const Array<float> variance = logitVariance(gaussians, context);
  Array<double> probs = Array<double>::zeros({items, classes});
  context.parallelFor(items, rowsPerTask(classes), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> mean_of_row;
    std::vector<double> variance_of_row;
    for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
      mean_of_row.assign(gaussians.mean.row(row).begin(), gaussians.mean.row(row).end());
      variance_of_row.assign(variance.row(row).begin(), variance.row(row).end());
      std::ranges::copy(probit(mean_of_row, variance_of_row), probs.mutableRow(row).begin());
    }
  });
  return probs;
}

}  // namespace dubito
