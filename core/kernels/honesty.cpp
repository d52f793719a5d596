// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/honesty.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <variant>
#include <vector>

#include "core/base/overloaded.h"
#include "core/kernels/laplace_bridge.h"
#include "core/kernels/logit_covariance.h"
#include "core/kernels/logit_map.h"
#include "core/kernels/logit_normal_mc.h"
#include "core/kernels/philox.h"
#include "core/kernels/probit.h"
#include "core/measures/honesty.h"

namespace dubito {
namespace {

/// The covariance A A' [3, 3] of a map.
std::array<double, 9> covarianceOf(const LogitMap& map) {
  std::array<double, 9> covariance{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (map.factor == nullptr) {
      covariance[4 * k] = double{map.deviation[k]} * double{map.deviation[k]};
      continue;
    }
    const auto columns = static_cast<std::size_t>(map.noise);
    for (std::size_t l = 0; l < 3; ++l) {
      for (std::size_t r = 0; r < columns; ++r) {
        const double stretch = map.stretch[r];
        covariance[3 * k + l] += stretch * stretch * double{map.factor[k * columns + r]} *
                                 double{map.factor[l * columns + r]};
      }
    }
  }
  return covariance;
}

Array<double> divergences(const LogitGaussians& gaussians, const Array<float>& log_alpha,
                          const RunContext& context) {
  // Cost of the integral of one item, in additions.
  constexpr std::int64_t kCost = std::int64_t{1} << 13;
  const std::int64_t items = log_alpha.extent(0);
  Array<double> result = Array<double>::zeros({items});
  context.parallelFor(items, rowsPerTask(kCost), [&](std::int64_t begin, std::int64_t end) {
    LogitMapper mapper(gaussians);
    for (std::int64_t row = begin; row < end && !context.cancelRequested(); ++row) {
      const auto mean = gaussians.mean.row(row);
      const auto logs = log_alpha.row(row);
      result.mutableData()[row] = densityDivergence(std::vector<double>(mean.begin(), mean.end()),
                                                    covarianceOf(mapper.map(row)),
                                                    std::vector<double>(logs.begin(), logs.end()))
                                      .value_or(std::numeric_limits<double>::quiet_NaN());
    }
  });
  return result;
}

/// The given rows of an array.
Array<float> selectRows(const Array<float>& array, std::span<const std::int64_t> rows) {
  std::vector<std::int64_t> shape = array.shape();
  shape[0] = static_cast<std::int64_t>(rows.size());
  Array<float> subset = Array<float>::zeros(shape);
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    std::ranges::copy(array.row(rows[static_cast<std::size_t>(i)]), subset.mutableRow(i).begin());
  }
  return subset;
}

LogitGaussians selectRows(const LogitGaussians& gaussians, std::span<const std::int64_t> rows) {
  return {
      selectRows(gaussians.mean, rows),
      std::visit(
          Overloaded{[&](const DiagonalCovariance& diagonal) -> LogitCovariance {
                       return DiagonalCovariance{selectRows(diagonal.variance, rows)};
                     },
                     [&](const FullCovariance& full) -> LogitCovariance {
                       return FullCovariance{selectRows(full.covariance, rows)};
                     },
                     [&](const FactoredCovariance& factored) -> LogitCovariance {
                       return FactoredCovariance{factored.factor, selectRows(factored.scale, rows)};
                     }},
          gaussians.covariance)};
}

/// An array [items] with `values` at `rows` and NaN elsewhere.
Array<double> scatter(const Array<double>& values, std::span<const std::int64_t> rows,
                      std::int64_t items) {
  Array<double> all = Array<double>::zeros({items});
  std::ranges::fill(all.mutableValues(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.mutableData()[rows[i]] = values.data()[i];
  }
  return all;
}

}  // namespace

bool isGauged(std::uint64_t seed, std::int64_t item_id, double share) {
  const auto id = static_cast<std::uint64_t>(item_id);
  const auto words =
      philox4x32({0, 0, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32)},
                 siteKey(seed, kGaugeSelectionSite));
  return static_cast<double>(words[0]) < share * 0x1p32;
}

HonestyGauge sampledHonestyGauge(const LogitGaussians& gaussians,
                                 std::span<const std::int64_t> item_ids, BridgeVariant variant,
                                 std::int64_t samples, double share, std::uint64_t seed,
                                 const RunContext& context) {
  if (share >= 1.0) {
    return honestyGauge(gaussians, item_ids, variant, samples, seed, context);
  }
  const auto [items, classes] = checkedShape(gaussians);
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> ids;
  for (std::int64_t row = 0; row < items; ++row) {
    if (isGauged(seed, item_ids[static_cast<std::size_t>(row)], share)) {
      rows.push_back(row);
      ids.push_back(item_ids[static_cast<std::size_t>(row)]);
    }
  }
  HonestyGauge subset;
  if (!rows.empty()) {
    subset = honestyGauge(selectRows(gaussians, rows), ids, variant, samples, seed, context);
  }
  HonestyGauge gauge{scatter(subset.bridge, rows, items), scatter(subset.probit, rows, items), {}};
  if (hasDivergence(classes)) {
    gauge.divergence = scatter(subset.divergence, rows, items);
  }
  return gauge;
}

HonestyGauge honestyGauge(const LogitGaussians& gaussians, std::span<const std::int64_t> item_ids,
                          BridgeVariant variant, std::int64_t samples, std::uint64_t seed,
                          const RunContext& context) {
  return honestyGauge(gaussians,
                      logitNormalMc(gaussians, item_ids, samples, seed, context).mean_probs,
                      variant, context);
}

HonestyGauge honestyGauge(const LogitGaussians& gaussians, const Array<double>& drawn_probs,
                          BridgeVariant variant, const RunContext& context) {
  const Array<float> log_alpha = laplaceBridge(gaussians, variant, context);
  const DirichletMoments bridged = dirichletMoments(log_alpha, context);
  const Array<double> probit = probitProbs(gaussians, context);
  const std::int64_t items = log_alpha.extent(0);
  HonestyGauge gauge{Array<double>::zeros({items}), Array<double>::zeros({items}), {}};
  for (std::int64_t row = 0; row < items; ++row) {
    gauge.bridge.mutableData()[row] =
        largestDifference(bridged.mean_probs.row(row), drawn_probs.row(row));
    gauge.probit.mutableData()[row] = largestDifference(probit.row(row), drawn_probs.row(row));
  }
  if (hasDivergence(log_alpha.extent(1))) {
    gauge.divergence = divergences(gaussians, log_alpha, context);
  }
  return gauge;
}

}  // namespace dubito
