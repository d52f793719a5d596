// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/sampling/chain_diagnostics.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/all_finite.h"
#include "core/base/nan.h"

namespace dubito {
namespace {

constexpr std::int64_t kMinDraws = 4;

double meanOfValues(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sample variance (divided by n - 1).
double sampleVariance(std::span<const double> values) {
  const double mean = meanOfValues(values);
  double sum = 0.0;
  for (const double value : values) {
    sum += (value - mean) * (value - mean);
  }
  return sum / static_cast<double>(values.size() - 1);
}

bool isValid(const Array<double>& chains, std::int64_t min_chains) {
  return chains.rank() == 2 && chains.extent(0) >= min_chains && chains.extent(1) >= kMinDraws &&
         allFinite(chains.values());
}

/// [2 C, N / 2].
Array<double> splitChains(const Array<double>& chains) {
  const std::int64_t draws = chains.extent(1);
  const std::int64_t half = draws / 2;
  auto result = Array<double>::zeros({2 * chains.extent(0), half});
  for (std::int64_t c = 0; c < chains.extent(0); ++c) {
    const auto row = chains.row(c);
    std::ranges::copy(row.first(static_cast<std::size_t>(half)), result.mutableRow(2 * c).begin());
    std::ranges::copy(row.last(static_cast<std::size_t>(half)),
                      result.mutableRow(2 * c + 1).begin());
  }
  return result;
}

/// Normal scores of the ranks, ties sharing their mean rank (Blom's offset 3/8).
Array<double> normalScores(const Array<double>& values) {
  const auto all = values.values();
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return all[a] < all[b]; });
  auto result = Array<double>::zeros(values.shape());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && all[order[end]] == all[order[begin]]) {
      ++end;
    }
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    const double share = (rank - 0.375) / (static_cast<double>(order.size()) + 0.25);
    const double score = std::numbers::sqrt2 * boost::math::erf_inv(2.0 * share - 1.0);
    for (; begin < end; ++begin) {
      result.mutableValues()[order[begin]] = score;
    }
  }
  return result;
}

/// Quantile with linear interpolation (type 7).
double quantileOf(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

/// R-hat of chains that are split already.
double rhatOf(const Array<double>& chains) {
  const auto draws = static_cast<double>(chains.extent(1));
  std::vector<double> means;
  double within = 0.0;
  for (std::int64_t c = 0; c < chains.extent(0); ++c) {
    means.push_back(meanOfValues(chains.row(c)));
    within += sampleVariance(chains.row(c)) / static_cast<double>(chains.extent(0));
  }
  const double between = draws * sampleVariance(means);
  return std::sqrt((between / within + draws - 1.0) / draws);
}

/// Autocovariance at any lag, averaged over chains.
class MeanAutocovariance {
 public:
  explicit MeanAutocovariance(const Array<double>& chains) : deviations_(chains.shape()[0]) {
    for (std::size_t c = 0; c < deviations_.size(); ++c) {
      const auto row = chains.row(static_cast<std::int64_t>(c));
      means_.push_back(meanOfValues(row));
      for (const double value : row) {
        deviations_[c].push_back(value - means_[c]);
      }
    }
  }
  [[nodiscard]] double at(std::int64_t lag) const {
    double sum = 0.0;
    for (const auto& chain : deviations_) {
      const std::size_t pairs = chain.size() - static_cast<std::size_t>(lag);
      sum += std::inner_product(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(pairs),
                                chain.begin() + static_cast<std::ptrdiff_t>(lag), 0.0) /
             static_cast<double>(chain.size());
    }
    return sum / static_cast<double>(deviations_.size());
  }
  /// Mean variance within the chains (divided by n - 1).
  [[nodiscard]] double within() const {
    const auto n = static_cast<double>(deviations_.front().size());
    return at(0) * n / (n - 1.0);
  }
  /// Estimate of the variance from within and between the chains.
  [[nodiscard]] double pooled() const {
    return at(0) + (means_.size() > 1 ? sampleVariance(means_) : 0.0);
  }

 private:
  std::vector<std::vector<double>> deviations_;
  std::vector<double> means_;
};

/// Effective sample size of chains that are split already: Geyer's initial monotone sequence over
/// pairs of autocorrelations, which are computed only as far as that sequence reaches.
double essOf(const Array<double>& chains) {
  const std::int64_t draws = chains.extent(1);
  const auto size = static_cast<double>(chains.size());
  const auto [low, high] = std::ranges::minmax(chains.values());
  if (high - low < 1e-15) {
    return size;
  }
  const MeanAutocovariance covariance(chains);
  const double within = covariance.within();
  const double pooled = covariance.pooled();
  const auto rhoAt = [&](std::int64_t lag) { return 1.0 - (within - covariance.at(lag)) / pooled; };

  std::vector<double> rho(static_cast<std::size_t>(draws) + 1, 0.0);
  double even = 1.0;
  double odd = draws > 1 ? rhoAt(1) : 0.0;
  rho[0] = even;
  rho[1] = odd;
  std::int64_t t = 1;
  while (t < draws - 3 && even + odd > 0.0) {
    even = rhoAt(t + 1);
    odd = rhoAt(t + 2);
    if (even + odd >= 0.0) {
      rho[static_cast<std::size_t>(t) + 1] = even;
      rho[static_cast<std::size_t>(t) + 2] = odd;
    }
    t += 2;
  }
  const std::int64_t last = t - 2;
  // The last even term alone makes antithetic chains more precise.
  if (even > 0.0) {
    rho[static_cast<std::size_t>(last + 1)] = even;
  }
  for (std::size_t i = 1; static_cast<std::int64_t>(i) <= last - 2; i += 2) {
    if (rho[i + 1] + rho[i + 2] > rho[i - 1] + rho[i]) {
      rho[i + 1] = 0.5 * (rho[i - 1] + rho[i]);
      rho[i + 2] = rho[i + 1];
    }
  }
  const auto end = rho.begin() + last + 1;
  const double tau = -1.0 + 2.0 * std::accumulate(rho.begin(), end, 0.0) + *end;
  return size / std::max(tau, 1.0 / std::log10(size));
}

double essOfQuantile(const Array<double>& chains, double share) {
  const auto values = chains.values();
  const double quantile = quantileOf({values.begin(), values.end()}, share);
  auto below = Array<double>::zeros(chains.shape());
  std::ranges::transform(values, below.mutableValues().begin(),
                         [&](double value) { return value <= quantile ? 1.0 : 0.0; });
  return essOf(splitChains(below));
}

}  // namespace

double splitRhat(const Array<double>& chains) {
  return isValid(chains, 2) ? rhatOf(splitChains(chains)) : kNaN;
}

double rankRhat(const Array<double>& chains) {
  if (!isValid(chains, 2)) {
    return kNaN;
  }
  const Array<double> split = splitChains(chains);
  const double median = quantileOf({split.values().begin(), split.values().end()}, 0.5);
  auto folded = Array<double>::zeros(split.shape());
  std::ranges::transform(split.values(), folded.mutableValues().begin(),
                         [&](double value) { return std::abs(value - median); });
  const double bulk = rhatOf(normalScores(split));
  const double tail = rhatOf(normalScores(folded));
  // std::max would drop a NaN in one place and keep it in the other.
  return std::isnan(tail) ? bulk : std::max(bulk, tail);
}

double essMean(const Array<double>& chains) {
  return isValid(chains, 1) ? essOf(splitChains(chains)) : kNaN;
}

double essBulk(const Array<double>& chains) {
  return isValid(chains, 1) ? essOf(normalScores(splitChains(chains))) : kNaN;
}

double essTail(const Array<double>& chains) {
  return isValid(chains, 1) ? std::min(essOfQuantile(chains, 0.05), essOfQuantile(chains, 0.95))
                            : kNaN;
}

double mcseMean(const Array<double>& chains) {
  return isValid(chains, 1) ? std::sqrt(sampleVariance(chains.values()) / essMean(chains)) : kNaN;
}

std::vector<double> pooledAutocorrelation(const Array<double>& chains, std::int64_t max_lag) {
  if (chains.rank() != 2 || chains.extent(0) < 1 || chains.extent(1) < kMinDraws) {
    return {};
  }
  const Array<double> split = splitChains(chains);
  const MeanAutocovariance covariance(split);
  const double within = covariance.within();
  const double pooled = covariance.pooled();
  std::vector<double> result;
  for (std::int64_t lag = 0; lag <= max_lag && lag < split.extent(1); ++lag) {
    // Lag 0 is 1 by definition; the formula has within / pooled missing there.
    const double rho = lag == 0 ? 1.0 : 1.0 - (within - covariance.at(lag)) / pooled;
    result.push_back(pooled > 0.0 ? rho : kNaN);
  }
  return result;
}

std::vector<double> autocorrelation(std::span<const double> values, std::int64_t max_lag) {
  if (values.size() < 2) {
    return {};
  }
  const auto chain =
      Array<double>::view({1, static_cast<std::int64_t>(values.size())}, values.data(), nullptr);
  const MeanAutocovariance covariance(chain);
  const double variance = covariance.at(0);
  std::vector<double> result;
  for (std::int64_t lag = 0; lag <= max_lag && lag < chain.extent(1); ++lag) {
    result.push_back(variance > 0.0 ? covariance.at(lag) / variance : kNaN);
  }
  return result;
}

}  // namespace dubito
