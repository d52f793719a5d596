// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/gaussian/gp_evidence.h"

#include "core/labs/gaussian/gp_factor_eigen.h"

namespace dubito {
namespace {

constexpr Eigen::Index kEvidenceColumnsPerTask = 32;

}  // namespace

Expected<GpEvidence> gpEvidence(const Kernel& kernel, double noise_variance,
                                std::span<const double> x, std::span<const double> y,
                                const RunContext& context) {
  using Eigen::Index;
  const Expected<GpFactor> factor = factoriseGp(kernel, noise_variance, x, y, context);
  if (!factor) {
    return failWith(factor);
  }
  const Eigen::MatrixXd inverse = inverseFromLower(factor->cholesky.lower, context);
  const Eigen::VectorXd& weights = factor->weights;
  const auto n = static_cast<Index>(x.size());
  const auto parameters = static_cast<Index>(kernel.parameterCount());
  // One column per task, so that the sums do not depend on the number of threads.
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(
      parameters, (n + kEvidenceColumnsPerTask - 1) / kEvidenceColumnsPerTask);
  context.parallelFor(n, kEvidenceColumnsPerTask, [&](Index begin, Index end) {
    std::vector<double> gradient(kernel.parameterCount());
    auto sum = sums.col(begin / kEvidenceColumnsPerTask);
    for (Index j = begin; j < end; ++j) {
      for (Index i = j; i < n; ++i) {
        kernel.valueAndGradient(x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(j)],
                                gradient);
        const double factor_of_pair = i == j ? 0.5 : 1.0;
        const double share = factor_of_pair * (weights[i] * weights[j] - inverse(i, j));
        for (Index p = 0; p < parameters; ++p) {
          sum[p] += share * gradient[static_cast<std::size_t>(p)];
        }
      }
    }
  });
  GpEvidence result{factor->log_evidence, {}, factor->cholesky.jitter};
  for (Index p = 0; p < parameters; ++p) {
    result.gradient.push_back(sums.row(p).sum());
  }
  result.gradient.push_back(0.5 * noise_variance *
                            (weights.squaredNorm() - inverse.diagonal().sum()));
  return result;
}

}  // namespace dubito
