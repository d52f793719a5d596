// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/probit.h"

#include <algorithm>
#include <vector>

#include "core/kernels/logit_covariance.h"
#include "core/measures/probit.h"

namespace dubito {

Array<double> probitProbs(const LogitGaussians& gaussians, const RunContext& context) {
  const auto [items, classes] = checkedShape(gaussians);
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
