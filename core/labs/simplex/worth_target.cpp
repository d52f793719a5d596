// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/simplex/worth_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "core/kernels/simplex_histogram.h"
#include "core/labs/simplex/dirichlet_cells.h"

namespace dubito {
namespace {

/// Half a count in every cell.
constexpr double kPseudoCount = 0.5;

/// ln(p / (1 - p)); finite for any p in [0, 1].
double logOdds(double p) {
  return std::log(std::max(p, 1e-300)) - std::log(std::max(1.0 - p, 0x1p-53));
}

/// `cells(alpha)` for an approximation that is Dir(alpha).
std::function<std::optional<std::vector<double>>(const LogitApproximation&)> expectationOfCells(
    std::function<std::vector<double>(const std::vector<double>& alpha)> cells) {
  return [cells = std::move(cells)](
             const LogitApproximation& form) -> std::optional<std::vector<double>> {
    return form.log_alpha ? std::optional(cells(alphaFromLog(*form.log_alpha))) : std::nullopt;
  };
}

/// Edges [K, bins - 1] of the cells of the probability of each class.
std::vector<double> edgesOfCells(const LogitSampler& sampler, std::uint64_t stream,
                                 std::int64_t bins) {
  constexpr std::size_t kPilot = 2000;
  const std::size_t classes = sampler.classes();
  std::vector<double> probs(kPilot * classes);
  sampler.draw(stream, 0, probs);
  std::vector<double> edges;
  for (std::size_t k = 0; k < classes; ++k) {
    double mean = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < kPilot; ++i) {
      const double odds = logOdds(probs[i * classes + k]);
      mean += odds / kPilot;
      squares += odds * odds / kPilot;
    }
    const double reach = 3.0 * std::sqrt(std::max(0.0, squares - mean * mean));
    for (std::int64_t bin = 1; bin < bins; ++bin) {
      const double share = 2.0 * static_cast<double>(bin) / static_cast<double>(bins) - 1.0;
      edges.push_back(1.0 / (1.0 + std::exp(-(mean + share * reach))));
    }
  }
  return edges;
}

}  // namespace

WorthTarget meanTarget(std::size_t classes) {
  return {.description = "KL divergence between the mean probabilities of the classes",
          .size = classes,
          .cells_per_group = static_cast<double>(classes),
          .add =
              [](std::span<const double> probs, std::span<double> sums) {
                for (std::size_t k = 0; k < probs.size(); ++k) {
                  sums[k] += probs[k];
                }
              },
          // Moment matching takes the mean from the truth itself.
          .expectation =
              [](const LogitApproximation& form) {
                return form.key == kMomentMatching ? std::nullopt : std::optional(form.mean);
              }};
}

WorthTarget jointTarget(std::size_t classes, std::int64_t bins) {
  const auto n = static_cast<std::size_t>(bins);
  if (classes == 2) {
    std::vector<double> edges;
    for (std::int64_t i = 1; i < bins; ++i) {
      edges.push_back(static_cast<double>(i) / static_cast<double>(bins));
    }
    return {
        .description = fmt::format("KL divergence between histograms of p_0 with {} bins", bins),
        .size = n,
        .cells_per_group = static_cast<double>(bins),
        .pseudo_count = kPseudoCount,
        .add =
            [n](std::span<const double> probs, std::span<double> sums) {
              sums[std::min(n - 1, static_cast<std::size_t>(probs[0] * static_cast<double>(n)))] +=
                  1.0;
            },
        .expectation = expectationOfCells(
            [edges](const std::vector<double>& alpha) { return marginalCells(alpha, 0, edges); })};
  }
  if (classes != 3) {
    throw std::invalid_argument("jointTarget: needs 2 or 3 classes");
  }
  return {.description = fmt::format(
              "KL divergence between histograms over {} triangles of the simplex", bins * bins),
          .size = 2 * n * n,
          .cells_per_group = static_cast<double>(bins * bins),
          .pseudo_count = kPseudoCount,
          .add =
              [bins](std::span<const double> probs, std::span<double> sums) {
                sums[static_cast<std::size_t>(simplexTriangle(probs[0], probs[1], bins))] += 1.0;
              },
          .expectation = expectationOfCells([bins](const std::vector<double>& alpha) {
            return triangleCells({alpha[0], alpha[1], alpha[2]}, bins);
          })};
}

WorthTarget marginalTarget(const LogitSampler& sampler, std::uint64_t stream, std::int64_t bins) {
  const std::size_t classes = sampler.classes();
  const auto n = static_cast<std::size_t>(bins);
  const auto edges_of = [all = edgesOfCells(sampler, stream, bins), n](std::size_t k) {
    return std::span(all).subspan(k * (n - 1), n - 1);
  };
  return {.description = fmt::format(
              "mean over the classes of the KL divergence between histograms of the class's "
              "probability with {} bins of equal width in log odds",
              bins),
          .groups = classes,
          .size = classes * n,
          .cells_per_group = static_cast<double>(bins),
          .pseudo_count = kPseudoCount,
          .add =
              [edges_of, n](std::span<const double> probs, std::span<double> sums) {
                for (std::size_t k = 0; k < probs.size(); ++k) {
                  const std::span<const double> edges = edges_of(k);
                  const auto bin = std::ranges::lower_bound(edges, probs[k]) - edges.begin();
                  sums[k * n + static_cast<std::size_t>(bin)] += 1.0;
                }
              },
          .expectation = expectationOfCells([edges_of](const std::vector<double>& alpha) {
            std::vector<double> cells;
            for (std::size_t k = 0; k < alpha.size(); ++k) {
              const std::vector<double> of_class = marginalCells(alpha, k, edges_of(k));
              cells.insert(cells.end(), of_class.begin(), of_class.end());
            }
            return cells;
          })};
}

double worthDivergence(const WorthTarget& target, std::span<const double> truth,
                       std::span<const double> estimate) {
  constexpr double kMin = 1e-300;
  double sum = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > 0.0) {
      sum += truth[i] * std::log(truth[i] / std::max(estimate[i], kMin));
    }
  }
  return std::max(0.0, sum / static_cast<double>(target.groups));
}

std::vector<double> worthEstimate(const WorthTarget& target, std::span<const double> sums,
                                  std::int64_t n) {
  const double extra = target.pseudo_count;
  const double total = static_cast<double>(n) + extra * target.cells_per_group;
  std::vector<double> estimate;
  estimate.reserve(sums.size());
  for (const double value : sums) {
    estimate.push_back((value + extra) / total);
  }
  return estimate;
}

}  // namespace dubito
