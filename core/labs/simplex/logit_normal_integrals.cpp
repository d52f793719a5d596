// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/logit_normal_integrals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/measures/dirichlet.h"
#include "core/measures/laplace_bridge.h"
#include "core/measures/special_functions.h"

namespace dubito {
namespace {

/// Range of the integrals in standard deviations; beyond it lies e^-28 of the total.
constexpr double kReachOfPlane = 7.5;
constexpr std::int64_t kMaxNodes = 60;

/// Nodes per standard deviation for a smooth function of the probabilities: a logit difference of
/// slope s has its nearest singularity at a distance a = pi / s from the real line, so the error of
/// a step h is about exp(a^2 / 2 - 2 pi a / h), or exp(-2 pi^2 / h^2) if a > 2 pi / h.
double smoothNodes(const LogitNormal& distribution) {
  constexpr double kDigits = 25.0;  // e^-25 = 1e-11
  constexpr double kFewest = 2.0;
  const double a = std::numbers::pi / std::max(distribution.largestSlope(), 1e-3);
  if (a * a > 2.0 * kDigits) {
    return kFewest;
  }
  return std::max(kFewest, (kDigits + 0.5 * a * a) / (2.0 * std::numbers::pi * a));
}

/// A node of the integral.
struct Node {
  double weight;
  double half_squares;         ///< (u^2 + v^2) / 2
  std::array<double, 2> t;     ///< plane coordinates
  std::array<double, 3> p;     ///< probabilities
  std::array<double, 3> logs;  ///< their logarithms
  bool is_coarse;              ///< also a node of the rule with twice the step
};

/// The nodes of one distribution, in rows of equal u.
class Nodes {
 public:
  Nodes(const LogitNormal& distribution, std::int64_t per_deviation)
      : distribution_(distribution),
        step_(1.0 / static_cast<double>(per_deviation)),
        half_(static_cast<std::int64_t>(kReachOfPlane / step_)) {}

  [[nodiscard]] std::int64_t rows() const { return 2 * half_ + 1; }

  template <class Visit>
  void forRow(std::int64_t row, const Visit& visit) const {
    const std::int64_t i = row - half_;
    const double u = static_cast<double>(i) * step_;
    const std::int64_t across = distribution_.classes() == 3 ? half_ : 0;
    for (std::int64_t j = -across; j <= across; ++j) {
      const double v = static_cast<double>(j) * step_;
      const double squares = u * u + v * v;
      if (squares <= kReachOfPlane * kReachOfPlane) {
        Node node;
        node.half_squares = 0.5 * squares;
        node.weight = std::exp(-node.half_squares);
        node.t = distribution_.unwhitened(u, v);
        node.is_coarse = i % 2 == 0 && j % 2 == 0;
        fillProbs(node);
        visit(node);
      }
    }
  }

 private:
  void fillProbs(Node& node) const {
    const std::size_t classes = distribution_.classes();
    node.logs = logitsOfPlanePoint(node.t, classes);
    node.p = node.logs;
    const double log_sum = softmaxInPlace(std::span(node.p).first(classes)).log();
    for (std::size_t k = 0; k < classes; ++k) {
      node.logs[k] -= log_sum;
    }
  }

  const LogitNormal& distribution_;
  double step_;
  std::int64_t half_;
};

/// Sums over all rows, computed in parallel and added in order: `sums` [count] of visit(node,
/// sums).
template <class Visit>
std::vector<double> sumsOver(const Nodes& nodes, std::size_t count, const RunContext& context,
                             const Visit& visit) {
  constexpr std::int64_t kRowsPerPart = 8;
  std::vector<double> rows(static_cast<std::size_t>(nodes.rows()) * count);
  context.parallelFor(nodes.rows(), kRowsPerPart, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::span<double> sums =
          std::span(rows).subspan(static_cast<std::size_t>(row) * count, count);
      nodes.forRow(row, [&](const Node& node) { visit(node, sums); });
    }
  });
  std::vector<double> total(count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    total[i % count] += rows[i];
  }
  return total;
}

std::int64_t nodesFor(const LogitNormal& distribution, double wanted) {
  return std::min(
      kMaxNodes, static_cast<std::int64_t>(std::ceil(std::max(wanted, smoothNodes(distribution)))));
}

}  // namespace

LogitNormalMoments momentsOf(const LogitNormal& distribution, const RunContext& context) {
  const std::size_t classes = distribution.classes();
  const Nodes nodes(distribution, nodesFor(distribution, 0.0));
  // Per class: p, its square, and the two terms of the slope; then the weights.
  constexpr std::size_t kTerms = 4;
  const auto sums =
      sumsOver(nodes, kTerms * classes + 1, context, [&](const Node& node, std::span<double> to) {
        for (std::size_t k = 0; k < classes; ++k) {
          const double p = node.p[k];
          to[kTerms * k] += node.weight * p;
          to[kTerms * k + 1] += node.weight * p * p;
          to[kTerms * k + 2] += node.weight * p * p * (1.0 - p) * (2.0 - 3.0 * p);
          to[kTerms * k + 3] += node.weight * p * (1.0 - p) * (1.0 - 2.0 * p);
        }
        to[kTerms * classes] += node.weight;
      });
  const double weights = sums[kTerms * classes];
  LogitNormalMoments moments;
  moments.is_accurate = smoothNodes(distribution) <= static_cast<double>(kMaxNodes);
  for (std::size_t k = 0; k < classes; ++k) {
    const double mean = sums[kTerms * k] / weights;
    moments.mean.push_back(mean);
    moments.variance.push_back(std::max(0.0, sums[kTerms * k + 1] / weights - mean * mean));
    moments.variance_slope.push_back(sums[kTerms * k + 2] / weights -
                                     mean * sums[kTerms * k + 3] / weights);
  }
  return moments;
}

RivalDensity dirichletRival(std::span<const double> log_alpha) {
  RivalDensity rival;
  rival.exponents = alphaFromLog(log_alpha);
  double precision = 0.0;
  for (const double alpha : rival.exponents) {
    precision += alpha;
    rival.constant -= logGamma(alpha);
  }
  rival.constant += logGamma(precision);
  return rival;
}

std::vector<DensityComparison> compareDensities(const LogitNormal& p,
                                                std::span<const RivalDensity> rivals,
                                                std::int64_t nodes_per_deviation,
                                                const RunContext& context) {
  const std::size_t classes = p.classes();
  const Nodes nodes(p, nodesFor(p, static_cast<double>(nodes_per_deviation)));
  const double constant = p.logWeightedDensity(p.plane().mean);
  // Per rival: ln p/q, and the total variation by the fine and the coarse rule; then both weights.
  constexpr std::size_t kTerms = 3;
  const std::size_t weights_at = kTerms * rivals.size();
  const auto sums =
      sumsOver(nodes, weights_at + 2, context, [&](const Node& node, std::span<double> to) {
        const double log_p = constant - node.half_squares;
        for (std::size_t i = 0; i < rivals.size(); ++i) {
          const RivalDensity& rival = rivals[i];
          double log_q = rival.constant;
          if (rival.logit_normal) {
            log_q = rival.logit_normal->logWeightedDensity(node.t);
          } else {
            for (std::size_t k = 0; k < classes; ++k) {
              log_q += rival.exponents[k] * node.logs[k];
            }
          }
          const double excess = log_p - log_q;
          const double lacking = excess > 0.0 ? -std::expm1(-excess) : 0.0;
          to[kTerms * i] += node.weight * excess;
          to[kTerms * i + 1] += node.weight * lacking;
          if (node.is_coarse) {
            to[kTerms * i + 2] += node.weight * lacking;
          }
        }
        to[weights_at] += node.weight;
        to[weights_at + 1] += node.is_coarse ? node.weight : 0.0;
      });
  std::vector<DensityComparison> comparisons;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    DensityComparison comparison;
    comparison.divergence = std::max(0.0, sums[kTerms * i] / sums[weights_at]);
    comparison.total_variation = sums[kTerms * i + 1] / sums[weights_at];
    comparison.total_variation_error =
        std::abs(comparison.total_variation - sums[kTerms * i + 2] / sums[weights_at + 1]);
    comparisons.push_back(comparison);
  }
  return comparisons;
}

double divergenceFromDirichlet(std::span<const double> log_alpha, const LogitNormal& q) {
  const std::vector<double> alpha = alphaFromLog(log_alpha);
  const DirichletSummary summary = summariseDirichlet(alpha);
  const std::size_t classes = alpha.size();
  LogitGaussian logs{std::vector<double>(classes), std::vector<double>(classes * classes)};
  double sum_of_logs = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    // E[ln p_k] = psi(alpha_k) - psi(alpha_0), without cancellation for large alphas.
    const double mean = -digammaDifference(alpha[k], summary.rest[k]);
    logs.mean[k] = mean;
    logs.covariance[k * classes + k] = trigamma(alpha[k]);
    sum_of_logs += mean;
  }
  // E[ln q] = the value at the mean of the plane coordinates minus half the trace of W V W', which
  // is the mean drop of ln q over the axes of V.
  const PlaneGaussian plane = planeGaussian(logs);
  double mean_log_q = q.logWeightedDensity(plane.mean) - sum_of_logs;
  const double peak = q.logWeightedDensity(q.plane().mean);
  for (std::size_t axis = 0; axis + 1 < classes; ++axis) {
    const double angle = plane.angle + (axis == 0 ? 0.0 : 0.5 * std::numbers::pi);
    mean_log_q +=
        q.logWeightedDensity({q.plane().mean[0] + plane.deviation[axis] * std::cos(angle),
                              q.plane().mean[1] + plane.deviation[axis] * std::sin(angle)}) -
        peak;
  }
  return std::max(0.0, -summary.differential_entropy - mean_log_q);
}

}  // namespace dubito
