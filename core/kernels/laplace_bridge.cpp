// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/laplace_bridge.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <variant>
#include <vector>

#include "core/kernels/covariance_reader.h"
#include "core/kernels/cpu/aligned_memory.h"
#include "core/kernels/cpu/laplace_bridge_cpu.h"
#include "core/kernels/cuda_library.h"
#include "core/kernels/factor_variance.h"
#include "core/kernels/logit_covariance.h"
#include "core/measures/dirichlet.h"

namespace dubito {
namespace {

/// The cases that need variances only: given, or computed on the CPU from a factor.
bool bridgeOnCuda(const LogitGaussians& gaussians, BridgeVariant variant, Array<float>& log_alpha,
                  const RunContext& context) {
  const auto* const diagonal = std::get_if<DiagonalCovariance>(&gaussians.covariance);
  const bool is_raw = variant == BridgeVariant::kRaw;
  if (!is_raw && (variant != BridgeVariant::kCentred || diagonal == nullptr)) {
    return false;
  }
  const Array<float> variance = logitVariance(gaussians, context);
  DiagonalBridgeTask task;
  task.mean = gaussians.mean.data();
  task.variance = variance.data();
  task.centred = !is_raw;
  task.items = gaussians.mean.extent(0);
  task.classes = gaussians.mean.extent(1);
  task.log_alpha = log_alpha.mutableData();
  if (!context.cancelRequested()) {
    bridgeDiagonalCudaFunction()(task, context.device.index);
  }
  return true;
}

#ifdef DUBITO_HAS_HIGHWAY

void bridgeDiagonal(const DiagonalCovariance& diagonal, const DiagonalBridgeTask& whole_task,
                    const RunContext& context) {
  DiagonalBridgeTask task = whole_task;
  task.variance = diagonal.variance.data();
  const std::int64_t tiles = (task.items + kBridgeTile - 1) / kBridgeTile;
  context.parallelFor(
      tiles, rowsPerTask(task.classes * kBridgeTile), [&](std::int64_t begin, std::int64_t end) {
        const auto scratch = makeAligned<float>(diagonalBridgeScratchSize(task.classes));
        for (std::int64_t tile = begin; tile < end && !context.cancelRequested(); ++tile) {
          const std::int64_t row = tile * kBridgeTile;
          bridgeDiagonalCpu(task, row, std::min(task.items, row + kBridgeTile), scratch.get());
        }
      });
}

/// Reads the diagonal of P Sigma P directly instead of deriving it from that of Sigma.
void bridgeFactored(const FactoredCovariance& factored, const DiagonalBridgeTask& whole_task,
                    const RunContext& context) {
  const FactorVariance reader(factored, whole_task.centred);
  const std::int64_t rows = factorRowsPerTask(whole_task.classes * factored.scale.extent(1));
  context.parallelFor(whole_task.items, rows, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    const auto variance = makeAligned<float>((end - begin) * whole_task.classes);
    const auto scratch = makeAligned<float>(diagonalBridgeScratchSize(whole_task.classes));
    reader.read(begin, end, variance.get());
    DiagonalBridgeTask task = whole_task;
    task.mean += begin * task.classes;
    task.log_alpha += begin * task.classes;
    task.variance = variance.get();
    task.centred = false;
    bridgeDiagonalCpu(task, 0, end - begin, scratch.get());
  });
}

/// The cases that can be computed in float32 without cancellation.
bool bridgeVectorised(const LogitGaussians& gaussians, BridgeVariant variant,
                      Array<float>& log_alpha, const RunContext& context) {
  if (variant != BridgeVariant::kCentred && variant != BridgeVariant::kRaw) {
    return false;
  }
  DiagonalBridgeTask task;
  task.mean = gaussians.mean.data();
  task.centred = variant == BridgeVariant::kCentred;
  task.items = gaussians.mean.extent(0);
  task.classes = gaussians.mean.extent(1);
  task.log_alpha = log_alpha.mutableData();
  if (const auto* const diagonal = std::get_if<DiagonalCovariance>(&gaussians.covariance)) {
    bridgeDiagonal(*diagonal, task, context);
    return true;
  }
  if (const auto* const factored = std::get_if<FactoredCovariance>(&gaussians.covariance)) {
    bridgeFactored(*factored, task, context);
    return true;
  }
  return false;
}

#else

bool bridgeVectorised(const LogitGaussians&, BridgeVariant, Array<float>&, const RunContext&) {
  return false;
}

#endif

}  // namespace

Array<float> laplaceBridge(const LogitGaussians& gaussians, BridgeVariant variant,
                           const RunContext& context) {
  const auto [items, classes] = checkedShape(gaussians);
  Array<float> log_alpha = Array<float>::zeros({items, classes});
  if (context.device.isCuda() && bridgeOnCuda(gaussians, variant, log_alpha, context)) {
    return log_alpha;
  }
  if (bridgeVectorised(gaussians, variant, log_alpha, context)) {
    return log_alpha;
  }
  const CovarianceReader reader(gaussians);
  context.parallelFor(items, rowsPerTask(classes), [&](std::int64_t begin, std::int64_t end) {
    CovarianceSums sums;
    std::vector<double> mean;
    for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
      reader.read(row, sums);
      mean.assign(gaussians.mean.row(row).begin(), gaussians.mean.row(row).end());
      const std::vector<double> exact = bridgeLogAlpha(mean, sums, variant);
      std::transform(exact.begin(), exact.end(), log_alpha.mutableRow(row).begin(),
                     [](double value) { return static_cast<float>(value); });
    }
  });
  return log_alpha;
}

DirichletMoments dirichletMoments(const Array<float>& log_alpha, const RunContext& context) {
  if (log_alpha.rank() != 2 || log_alpha.extent(1) < 2) {
    throw std::invalid_argument("dirichletMoments: log alpha must be [N, K] with K >= 2");
  }
  const std::int64_t items = log_alpha.extent(0);
  const std::int64_t classes = log_alpha.extent(1);
  DirichletMoments moments;
  moments.mean_probs = Array<double>::zeros({items, classes});
  for (Array<double>* const array :
       {&moments.entropy, &moments.expected_entropy, &moments.mutual_information,
        &moments.confidence, &moments.log_rest}) {
    *array = Array<double>::zeros({items});
  }
  context.parallelFor(items, rowsPerTask(classes), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> row_of_logs;
    for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
      row_of_logs.assign(log_alpha.row(row).begin(), log_alpha.row(row).end());
      const DirichletSummary summary = summariseDirichlet(alphaFromLog(row_of_logs));
      std::ranges::copy(summary.mean, moments.mean_probs.mutableRow(row).begin());
      moments.entropy.mutableData()[row] = summary.entropy_of_mean;
      moments.expected_entropy.mutableData()[row] = summary.expected_entropy;
      moments.mutual_information.mutableData()[row] = summary.mutual_information;
      const auto winner =
          static_cast<std::size_t>(std::ranges::max_element(summary.mean) - summary.mean.begin());
      moments.confidence.mutableData()[row] = summary.mean[winner];
      moments.log_rest.mutableData()[row] =
          std::log(summary.rest[winner]) - std::log(summary.precision);
    }
  });
  return moments;
}

}  // namespace dubito
