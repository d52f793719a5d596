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

class MeanTarget : public WorthTarget {
 public:
  explicit MeanTarget(std::size_t classes) : classes_(classes) {}

  [[nodiscard]] std::string description() const override {
    return "KL divergence between the mean probabilities of the classes";
  }
  [[nodiscard]] std::size_t groups() const override { return 1; }
  [[nodiscard]] std::size_t size() const override { return classes_; }
  [[nodiscard]] double cellsPerGroup() const override { return static_cast<double>(classes_); }
  [[nodiscard]] double pseudoCount() const override { return 0.0; }
  void add(std::span<const double> probs, std::span<double> sums) const override {
    for (std::size_t k = 0; k < classes_; ++k) {
      sums[k] += probs[k];
    }
  }
  [[nodiscard]] std::optional<std::vector<double>> expectation(
      const LogitApproximation& form) const override {
    // Moment matching takes the mean from the truth itself.
    if (form.key == kMomentMatching) {
      return std::nullopt;
    }
    return form.mean;
  }

 private:
  std::size_t classes_;
};

class JointTarget : public WorthTarget {
 public:
  JointTarget(std::size_t classes, std::int64_t bins) : classes_(classes), bins_(bins) {
    for (std::int64_t i = 1; i < bins; ++i) {
      edges_.push_back(static_cast<double>(i) / static_cast<double>(bins));
    }
  }

  [[nodiscard]] std::string description() const override {
    return classes_ == 2
               ? fmt::format("KL divergence between histograms of p_0 with {} bins", bins_)
               : fmt::format("KL divergence between histograms over {} triangles of the simplex",
                             bins_ * bins_);
  }
  [[nodiscard]] std::size_t groups() const override { return 1; }
  [[nodiscard]] std::size_t size() const override {
    return static_cast<std::size_t>(classes_ == 2 ? bins_ : 2 * bins_ * bins_);
  }
  [[nodiscard]] double cellsPerGroup() const override {
    return static_cast<double>(classes_ == 2 ? bins_ : bins_ * bins_);
  }
  [[nodiscard]] double pseudoCount() const override { return kPseudoCount; }
  void add(std::span<const double> probs, std::span<double> sums) const override {
    const std::int64_t cell =
        classes_ == 2
            ? std::min(bins_ - 1, static_cast<std::int64_t>(probs[0] * static_cast<double>(bins_)))
            : simplexTriangle(probs[0], probs[1], bins_);
    sums[static_cast<std::size_t>(cell)] += 1.0;
  }
  [[nodiscard]] std::optional<std::vector<double>> expectation(
      const LogitApproximation& form) const override {
    if (!form.log_alpha) {
      return std::nullopt;
    }
    const std::vector<double> alpha = alphaFromLog(*form.log_alpha);
    return classes_ == 2 ? marginalCells(alpha, 0, edges_)
                         : triangleCells({alpha[0], alpha[1], alpha[2]}, bins_);
  }

 private:
  std::size_t classes_;
  std::int64_t bins_;
  std::vector<double> edges_;
};

class MarginalTarget : public WorthTarget {
 public:
  MarginalTarget(std::size_t classes, std::int64_t bins, std::vector<double> edges)
      : classes_(classes), bins_(static_cast<std::size_t>(bins)), edges_(std::move(edges)) {}

  [[nodiscard]] std::string description() const override {
    return fmt::format(
        "mean over the classes of the KL divergence between histograms of the class's probability "
        "with {} bins of equal width in log odds",
        bins_);
  }
  [[nodiscard]] std::size_t groups() const override { return classes_; }
  [[nodiscard]] std::size_t size() const override { return classes_ * bins_; }
  [[nodiscard]] double cellsPerGroup() const override { return static_cast<double>(bins_); }
  [[nodiscard]] double pseudoCount() const override { return kPseudoCount; }
  void add(std::span<const double> probs, std::span<double> sums) const override {
    for (std::size_t k = 0; k < classes_; ++k) {
      const std::span<const double> edges = edgesOf(k);
      const auto bin = std::ranges::lower_bound(edges, probs[k]) - edges.begin();
      sums[k * bins_ + static_cast<std::size_t>(bin)] += 1.0;
    }
  }
  [[nodiscard]] std::optional<std::vector<double>> expectation(
      const LogitApproximation& form) const override {
    if (!form.log_alpha) {
      return std::nullopt;
    }
    const std::vector<double> alpha = alphaFromLog(*form.log_alpha);
    std::vector<double> cells;
    for (std::size_t k = 0; k < classes_; ++k) {
      const std::vector<double> of_class = marginalCells(alpha, k, edgesOf(k));
      cells.insert(cells.end(), of_class.begin(), of_class.end());
    }
    return cells;
  }

 private:
  [[nodiscard]] std::span<const double> edgesOf(std::size_t k) const {
    return std::span(edges_).subspan(k * (bins_ - 1), bins_ - 1);
  }

  std::size_t classes_;
  std::size_t bins_;
  std::vector<double> edges_;  ///< [K, bins - 1]
};

}  // namespace

std::unique_ptr<WorthTarget> meanTarget(std::size_t classes) {
  return std::make_unique<MeanTarget>(classes);
}

std::unique_ptr<WorthTarget> jointTarget(std::size_t classes, std::int64_t bins) {
  if (classes != 2 && classes != 3) {
    throw std::invalid_argument("jointTarget: needs 2 or 3 classes");
  }
  return std::make_unique<JointTarget>(classes, bins);
}

std::unique_ptr<WorthTarget> marginalTarget(const LogitSampler& sampler, std::uint64_t stream,
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
  return std::make_unique<MarginalTarget>(classes, bins, std::move(edges));
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
  return std::max(0.0, sum / static_cast<double>(target.groups()));
}

std::vector<double> worthEstimate(const WorthTarget& target, std::span<const double> sums,
                                  std::int64_t n) {
  const double extra = target.pseudoCount();
  const double total = static_cast<double>(n) + extra * target.cellsPerGroup();
  std::vector<double> estimate;
  estimate.reserve(sums.size());
  for (const double value : sums) {
    estimate.push_back((value + extra) / total);
  }
  return estimate;
}

}  // namespace dubito
