// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/laplace_bridge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "core/measures/measures.h"

namespace dubito {
namespace {

constexpr std::array kVariants{BridgeVariant::kCentred, BridgeVariant::kConditioned,
                               BridgeVariant::kNormalised, BridgeVariant::kRaw};

/// The mean, up to a constant, and the diagonal used by the bridge.
struct Prepared {
  std::vector<double> mean;
  std::vector<double> variance;
};

double sumOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void condition(const CovarianceSums& sums, Prepared& prepared) {
  const auto classes = static_cast<double>(prepared.mean.size());
  const double trace = sumOf(sums.variance);
  if (!(sums.total > 4.0 * classes * sums.rounding * trace)) {
    return;
  }
  const double sum_of_mean = sumOf(prepared.mean);
  const std::vector<double> others = sumsOfOthers(sums.variance);
  for (std::size_t k = 0; k < prepared.mean.size(); ++k) {
    const double share = sums.row_sum[k] / sums.total;
    prepared.mean[k] -= share * sum_of_mean;
    prepared.variance[k] = sums.is_diagonal ? sums.variance[k] * (others[k] / sums.total)
                                            : sums.variance[k] - share * sums.row_sum[k];
  }
}

void centre(const CovarianceSums& sums, Prepared& prepared) {
  // The bridge is invariant to a constant in the mean.
  const auto classes = static_cast<double>(prepared.mean.size());
  for (std::size_t k = 0; k < prepared.variance.size(); ++k) {
    prepared.variance[k] =
        sums.is_diagonal
            ? sums.variance[k] * (1.0 - 2.0 / classes) + sums.total / (classes * classes)
            : sums.variance[k] + (sums.total / classes - 2.0 * sums.row_sum[k]) / classes;
  }
}

Prepared prepare(std::span<const double> mean, const CovarianceSums& sums, BridgeVariant variant) {
  Prepared prepared{{mean.begin(), mean.end()}, sums.variance};
  switch (variant) {
    case BridgeVariant::kCentred:
      centre(sums, prepared);
      break;
    case BridgeVariant::kConditioned:
    case BridgeVariant::kNormalised:
      condition(sums, prepared);
      break;
    case BridgeVariant::kRaw:
      break;
  }
  for (std::size_t k = 0; k < mean.size(); ++k) {
    prepared.variance[k] =
        std::max({prepared.variance[k], sums.rounding * sums.variance[k], kSmallestLogitVariance});
  }
  if (variant == BridgeVariant::kNormalised) {
    const auto classes = static_cast<double>(mean.size());
    const double scale = sumOf(prepared.variance) / classes / std::sqrt(0.5 * classes);
    for (std::size_t k = 0; k < mean.size(); ++k) {
      prepared.mean[k] /= std::sqrt(scale);
      prepared.variance[k] /= scale;
    }
  }
  return prepared;
}

}  // namespace

std::string_view bridgeVariantName(BridgeVariant variant) {
  switch (variant) {
    case BridgeVariant::kCentred:
      return "bridge-centred";
    case BridgeVariant::kConditioned:
      return "bridge";
    case BridgeVariant::kNormalised:
      return "bridge-norm";
    case BridgeVariant::kRaw:
      return "bridge-raw";
  }
  return {};
}

std::optional<BridgeVariant> bridgeVariantFromName(std::string_view name) {
  for (const BridgeVariant variant : kVariants) {
    if (bridgeVariantName(variant) == name) {
      return variant;
    }
  }
  return std::nullopt;
}

CovarianceSums sumsOfDiagonal(std::span<const double> variance) {
  CovarianceSums sums;
  sums.variance.assign(variance.begin(), variance.end());
  sums.row_sum = sums.variance;
  sums.total = sumOf(variance);
  sums.is_diagonal = true;
  return sums;
}

CovarianceSums sumsOfFull(std::span<const double> covariance) {
  const auto classes =
      static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(covariance.size()))));
  if (classes * classes != covariance.size()) {
    throw std::invalid_argument("sumsOfFull: needs a square covariance");
  }
  CovarianceSums sums;
  sums.variance.resize(classes);
  sums.row_sum.resize(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    const std::span<const double> row = covariance.subspan(k * classes, classes);
    sums.variance[k] = row[k];
    sums.row_sum[k] = sumOf(row);
  }
  sums.total = sumOf(sums.row_sum);
  return sums;
}

std::vector<double> bridgeLogAlpha(std::span<const double> mean, const CovarianceSums& sums,
                                   BridgeVariant variant) {
  const std::size_t classes = mean.size();
  if (classes < 2 || sums.variance.size() != classes || sums.row_sum.size() != classes) {
    throw std::invalid_argument(
        "bridgeLogAlpha: needs a mean and a covariance of the same two or more classes");
  }
  const Prepared prepared = prepare(mean, sums, variant);
  const double lowest = *std::min_element(prepared.mean.begin(), prepared.mean.end());
  double sum = 0.0;
  for (const double mu : prepared.mean) {
    sum += std::exp(lowest - mu);
  }
  const auto count = static_cast<double>(classes);
  std::vector<double> log_alpha(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    const double above = prepared.mean[k] - lowest;
    log_alpha[k] = above +
                   std::log((1.0 - 2.0 / count) * std::exp(-above) + sum / (count * count)) -
                   std::log(prepared.variance[k]);
  }
  return log_alpha;
}

LogitGaussian dirichletToLogitGaussian(std::span<const double> alpha) {
  const std::size_t classes = alpha.size();
  if (classes < 2 || !std::all_of(alpha.begin(), alpha.end(), [](double value) {
        return value > 0.0 && std::isfinite(value);
      })) {
    throw std::invalid_argument(
        "dirichletToLogitGaussian: needs two or more positive, finite alphas");
  }
  const auto count = static_cast<double>(classes);
  LogitGaussian gaussian{std::vector<double>(classes), std::vector<double>(classes * classes)};
  double sum_of_inverses = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    gaussian.mean[k] = std::log(alpha[k]);
    sum_of_inverses += 1.0 / alpha[k];
  }
  const double mean_log = sumOf(gaussian.mean) / count;
  for (std::size_t k = 0; k < classes; ++k) {
    gaussian.mean[k] -= mean_log;
    for (std::size_t l = 0; l < classes; ++l) {
      gaussian.covariance[k * classes + l] =
          (k == l ? 1.0 / alpha[k] : 0.0) -
          (1.0 / alpha[k] + 1.0 / alpha[l] - sum_of_inverses / count) / count;
    }
  }
  return gaussian;
}

std::vector<double> alphaFromLog(std::span<const double> log_alpha) {
  constexpr double kMaxLog = 650.0;
  constexpr double kMinAlpha = 1e-300;
  std::vector<double> alpha(log_alpha.begin(), log_alpha.end());
  if (alpha.empty()) {
    return alpha;
  }
  const double largest = *std::max_element(log_alpha.begin(), log_alpha.end());
  for (double& value : alpha) {
    // In this order, because 650 would be lost in the rounding of a log alpha of 1e19.
    const double scaled = largest > kMaxLog ? (value - largest) + kMaxLog : value;
    value = std::max(std::exp(scaled), kMinAlpha);
  }
  return alpha;
}

}  // namespace dubito
