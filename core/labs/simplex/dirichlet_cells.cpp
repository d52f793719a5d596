// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/dirichlet_cells.h"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/measures/beta_distribution.h"
#include "core/measures/quiet_policy.h"

namespace dubito {
namespace {

constexpr double kMaxPrecision = 1e8;

/// By itself Boost computes in long double, which takes five times as long for digits that neither
/// the quadrature nor samples resolve.
using DoublePolicy =
    boost::math::policies::normalise<QuietPolicy,
                                     boost::math::policies::promote_double<false>>::type;

std::vector<double> usableAlpha(std::span<const double> alpha) {
  std::vector<double> result(alpha.begin(), alpha.end());
  double precision = 0.0;
  for (const double value : result) {
    precision += value;
  }
  if (precision > kMaxPrecision) {
    for (double& value : result) {
      value = std::max(value * (kMaxPrecision / precision), 1e-300);
    }
  }
  return result;
}

/// P(X <= x), small for x near 0.
double lowerTail(double a, double b, double x) {
  if (x <= 0.0) {
    return 0.0;
  }
  return x >= 1.0 ? 1.0 : boost::math::ibeta(a, b, x, DoublePolicy());
}

/// P(X > x), small for x near 1.
double upperTail(double a, double b, double x) {
  if (x <= 0.0) {
    return 1.0;
  }
  return x >= 1.0 ? 0.0 : boost::math::ibetac(a, b, x, DoublePolicy());
}

/// The probabilities of adjoining intervals from 0 upwards. Each comes from the tail that is
/// nearer, so that thin tails keep their precision.
class BetaCells {
 public:
  BetaCells(double a, double b) : a_(a), b_(b), mean_(a / (a + b)) {}

  /// That of the next interval, which ends at `high`.
  double next(double high) {
    if (!is_above_ && 0.5 * (low_ + high) > mean_) {
      is_above_ = true;
      tail_ = upperTail(a_, b_, low_);
    }
    const double tail = is_above_ ? upperTail(a_, b_, high) : lowerTail(a_, b_, high);
    low_ = high;
    const double before = std::exchange(tail_, tail);
    return std::max(0.0, is_above_ ? before - tail : tail - before);
  }

 private:
  double a_;
  double b_;
  double mean_;
  double low_ = 0.0;
  double tail_ = 0.0;  ///< P(X <= low_), or P(X > low_)
  bool is_above_ = false;
};

/// Nodes in (0, 1) and weights with the sum 1.
const std::vector<std::pair<double, double>>& gaussNodes() {
  static const std::vector<std::pair<double, double>> nodes = [] {
    using Gauss = boost::math::quadrature::gauss<double, 16>;
    std::vector<std::pair<double, double>> all;
    const auto add = [&](double s, double weight) {
      // Quantiles behave like a root of the level at the ends; this makes them smooth.
      all.emplace_back(s * s * s * (10.0 - 15.0 * s + 6.0 * s * s),
                       0.5 * weight * 30.0 * s * s * (1.0 - s) * (1.0 - s));
    };
    for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
      add(0.5 - 0.5 * Gauss::abscissa()[i], Gauss::weights()[i]);
      add(0.5 + 0.5 * Gauss::abscissa()[i], Gauss::weights()[i]);
    }
    return all;
  }();
  return nodes;
}

/// Adds the probabilities of the triangles of strip i, given p_0 in it, times `weight`.
void addStrip(const std::vector<double>& alpha, std::int64_t i, double p_0, double weight,
              std::span<double> strip) {
  const auto cells = static_cast<std::int64_t>(strip.size() / 2);
  const auto n = static_cast<double>(cells);
  const double fraction = std::clamp(n * p_0 - static_cast<double>(i), 0.0, 1.0);
  const double rest = 1.0 - p_0;
  BetaCells triangles(alpha[1], alpha[2]);
  // Lower and upper triangles alternate along p_1; the last is a lower one.
  for (std::int64_t at = 0; at < 2 * (cells - i) - 1; ++at) {
    const double j = static_cast<double>(at / 2);
    const double end = at % 2 == 0 ? j + 1.0 - fraction : j + 1.0;
    const bool is_last = at == 2 * (cells - i) - 2;
    const double high = is_last || !(rest > 0.0) ? 1.0 : std::min(1.0, end / n / rest);
    strip[static_cast<std::size_t>(at)] += weight * triangles.next(high);
  }
}

}  // namespace

double betaMass(double a, double b, double low, double high) {
  const double mean = a / (a + b);
  const double mass = 0.5 * (low + high) > mean ? upperTail(a, b, low) - upperTail(a, b, high)
                                                : lowerTail(a, b, high) - lowerTail(a, b, low);
  return std::max(0.0, mass);
}

std::vector<double> marginalCells(std::span<const double> alpha, std::size_t k,
                                  std::span<const double> inner_edges) {
  double rest = 0.0;
  for (std::size_t l = 0; l < alpha.size(); ++l) {
    rest += l == k ? 0.0 : alpha[l];
  }
  const std::vector<double> usable = usableAlpha(std::array{alpha[k], rest});
  BetaCells intervals(usable[0], usable[1]);
  std::vector<double> cells;
  for (std::size_t i = 0; i <= inner_edges.size(); ++i) {
    cells.push_back(intervals.next(i < inner_edges.size() ? inner_edges[i] : 1.0));
  }
  return cells;
}

std::vector<double> triangleCells(const std::array<double, 3>& given, std::int64_t resolution) {
  const std::vector<double> alpha = usableAlpha(given);
  const double rest = alpha[1] + alpha[2];
  const double mean = alpha[0] / (alpha[0] + rest);
  const auto n = static_cast<double>(resolution);
  std::vector<double> cells(static_cast<std::size_t>(2 * resolution * resolution));
  for (std::int64_t i = 0; i < resolution; ++i) {
    const std::span<double> strip = std::span(cells).subspan(
        static_cast<std::size_t>(2 * i * resolution), static_cast<std::size_t>(2 * resolution));
    const double low = static_cast<double>(i) / n;
    const double high = static_cast<double>(i + 1) / n;
    // Quantiles from the nearer end of the distribution, so that thin tails keep their precision.
    const bool is_above = 0.5 * (low + high) > mean;
    const double begin =
        is_above ? upperTail(alpha[0], rest, high) : lowerTail(alpha[0], rest, low);
    const double mass = betaMass(alpha[0], rest, low, high);
    for (const auto& [node, weight] : gaussNodes()) {
      const double level = begin + node * mass;
      if (!(level > 0.0) || !(level < 1.0) || !(mass > 0.0)) {
        continue;
      }
      const BetaQuantile quantile =
          is_above ? betaQuantile(rest, alpha[0], level) : betaQuantile(alpha[0], rest, level);
      const double p_0 = std::exp(is_above ? quantile.log_complement : quantile.log_x);
      addStrip(alpha, i, std::clamp(p_0, low, high), weight * mass, strip);
    }
  }
  return cells;
}

}  // namespace dubito
