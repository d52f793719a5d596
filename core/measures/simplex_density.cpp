// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measures/simplex_density.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/measures/special_functions.h"

namespace dubito {
namespace {

/// ln Dir(p; alpha) = constant - sum_k (deviance(alpha_k, alpha_0 p_k) + ln p_k): a sum of
/// functions of one probability each.
class LogDensity {
 public:
  explicit LogDensity(const std::array<double, 3>& alpha) : alpha_(alpha) {
    for (const double a : alpha) {
      if (!(a > 0.0) || std::isinf(a)) {
        throw std::invalid_argument("dirichletLogDensity: every alpha must be positive and finite");
      }
      sum_ += a;
      constant_ += 0.5 * std::log(a) - stirlingTail(a);
    }
    constant_ += stirlingTail(sum_) - 0.5 * std::log(sum_) - std::log(2.0 * std::numbers::pi);
  }

  [[nodiscard]] double term(std::size_t k, double p) const {
    return -deviance(alpha_[k], sum_ * p) - std::log(p);
  }
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] double at(const Triple& p) const {
    return constant_ + term(0, p[0]) + term(1, p[1]) + term(2, p[2]);
  }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::array<double, 3> alpha_;
  double sum_ = 0.0;
  double constant_ = 0.0;
};

constexpr std::array kShares = {0.5, 0.9, 0.99};

/// Levels that enclose the densest cells, whose densities are exp(offset) times `descending`.
/// Probability that the cells miss lies at poles, which are denser than any cell.
std::vector<DensityLevel> levelsOfCells(const std::vector<double>& descending, double offset,
                                        double cell_area) {
  const double scale = std::exp(offset) * cell_area;
  const double total = scale * std::accumulate(descending.begin(), descending.end(), 0.0);
  const double norm = std::max(1.0, total);
  std::vector<DensityLevel> levels;
  double enclosed = std::max(0.0, 1.0 - total);
  std::size_t next = 0;
  while (next < kShares.size() && kShares[next] <= enclosed) {
    ++next;
  }
  for (const double value : descending) {
    if (!(value > 0.0)) {
      break;
    }
    enclosed += value * scale / norm;
    for (; next < kShares.size() && enclosed >= kShares[next]; ++next) {
      levels.push_back({kShares[next], offset + std::log(value)});
    }
  }
  return levels;
}

/// A function of one probability at the centres of the cells, and its exp relative to the largest.
struct Terms {
  std::vector<double> log;
  std::vector<double> scaled;
  double largest = 0.0;
};

Terms termsOf(const LogDensity& density, std::size_t k, std::size_t count) {
  Terms terms;
  for (std::size_t i = 0; i < count; ++i) {
    terms.log.push_back(
        density.term(k, (2.0 * static_cast<double>(i) + 1.0) / (2.0 * static_cast<double>(count))));
  }
  terms.largest = *std::ranges::max_element(terms.log);
  for (const double value : terms.log) {
    terms.scaled.push_back(std::exp(value - terms.largest));
  }
  return terms;
}

}  // namespace

double dirichletLogDensity(const std::array<double, 3>& alpha, const Triple& probs) {
  return LogDensity(alpha).at(probs);
}

std::vector<DensityLevel> contourLevels(std::vector<double> scaled, double offset,
                                        std::int64_t cells, std::optional<double> log_peak) {
  const double cell_area = 1.0 / (static_cast<double>(cells) * static_cast<double>(cells));
  constexpr double kMaxTotalError = 0.02;
  const double total =
      std::exp(offset) * cell_area * std::accumulate(scaled.begin(), scaled.end(), 0.0);
  if (log_peak && !(std::abs(total - 1.0) < kMaxTotalError)) {
    std::vector<DensityLevel> levels;
    for (const double share : kShares) {
      levels.push_back({share, *log_peak + std::log1p(-share)});
    }
    return levels;
  }
  std::ranges::sort(scaled, std::greater());
  constexpr double kFlat = 1e-6;
  if (scaled.front() - scaled.back() < kFlat * scaled.front()) {
    return {};  // uniform: no line encloses a denser region
  }
  return levelsOfCells(scaled, offset, cell_area);
}

SimplexDensity simplexDensity(const std::array<double, 3>& alpha, std::int64_t cells) {
  constexpr std::int64_t kMaxCells = 4096;
  if (cells < 2 || cells > kMaxCells) {
    throw std::invalid_argument("simplexDensity: needs 2 to 4096 cells");
  }
  const LogDensity density(alpha);
  const auto n = static_cast<std::size_t>(cells);
  // p_0 and p_1 are odd multiples of 1/(4 n), p_2 is one of 1/(2 n).
  const std::array terms = {termsOf(density, 0, 2 * n), termsOf(density, 1, 2 * n),
                            termsOf(density, 2, n)};
  SimplexDensity result;
  result.log_density = Array<double>::zeros({cells, cells});
  std::vector<double> inside;
  inside.reserve(n * (n + 1) / 2);
  for (std::int64_t r = 0; r < cells; ++r) {
    const std::span<double> row = result.log_density.mutableRow(r);
    const auto up = static_cast<std::size_t>(r);
    for (std::int64_t c = 0; c < cells; ++c) {
      // As counts of 1/(4 n): 2 i + 1.
      const std::int64_t right = 4 * c - 2 * r + 1;
      const std::int64_t left = 4 * cells - 4 * c - 2 * r - 3;
      double& value = row[static_cast<std::size_t>(c)];
      if (right < 0 || left < 0) {
        value = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      const auto i = static_cast<std::size_t>(left / 2);
      const auto j = static_cast<std::size_t>(right / 2);
      value = density.constant() + terms[0].log[i] + terms[1].log[j] + terms[2].log[up];
      // The product of three tables replaces one exp per cell; at worst it underflows.
      inside.push_back(terms[0].scaled[i] * terms[1].scaled[j] * terms[2].scaled[up]);
    }
  }
  const double offset = density.constant() + terms[0].largest + terms[1].largest + terms[2].largest;
  const double alpha_0 = density.sum();
  result.mean = {alpha[0] / alpha_0, alpha[1] / alpha_0, alpha[2] / alpha_0};
  if (std::ranges::all_of(alpha, [](double a) { return a > 1.0; })) {
    const double above = (alpha[0] - 1.0) + (alpha[1] - 1.0) + (alpha[2] - 1.0);
    result.mode =
        Triple{(alpha[0] - 1.0) / above, (alpha[1] - 1.0) / above, (alpha[2] - 1.0) / above};
  }
  std::optional<double> log_peak;
  if (result.mode) {
    log_peak = density.at(*result.mode);
  }
  result.levels = contourLevels(std::move(inside), offset, cells, log_peak);
  return result;
}

}  // namespace dubito
