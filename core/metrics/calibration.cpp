// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/metrics/compensated_sum.h"

namespace dubito {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
void requireInput(std::span<const T> confidence, std::span<const std::uint8_t> correct,
                  std::int64_t bins) {
  if (confidence.size() != correct.size()) {
    throw std::invalid_argument("calibration: as many outcomes as confidences are needed");
  }
  if (bins < 1) {
    throw std::invalid_argument("calibration: at least one bin is needed");
  }
  if (std::any_of(confidence.begin(), confidence.end(), [](T c) { return std::isnan(c); })) {
    throw std::invalid_argument("calibration: a confidence is NaN");
  }
}

struct BinSums {
  std::int64_t count = 0;
  std::int64_t correct = 0;
  CompensatedSum confidence;

  void add(double confidence_of_item, bool is_correct) {
    ++count;
    correct += is_correct ? 1 : 0;
    confidence.add(confidence_of_item);
  }
};

ReliabilityBin finished(const BinSums& sums, double low, double high) {
  ReliabilityBin bin;
  bin.low = low;
  bin.high = high;
  bin.count = sums.count;
  const auto count = static_cast<double>(sums.count);
  bin.accuracy = sums.count > 0 ? static_cast<double>(sums.correct) / count : kNaN;
  bin.confidence = sums.count > 0 ? sums.confidence.value() / count : kNaN;
  bin.wilson95 = wilson95(sums.correct, sums.count);
  return bin;
}

void finish(ReliabilityDiagram& diagram) {
  diagram.total =
      std::accumulate(diagram.bins.begin(), diagram.bins.end(), std::int64_t{0},
                      [](std::int64_t sum, const ReliabilityBin& bin) { return sum + bin.count; });
  if (diagram.total == 0) {
    diagram.ece = diagram.mce = diagram.rmsce = kNaN;
    return;
  }
  CompensatedSum ece;
  CompensatedSum squares;
  for (const ReliabilityBin& bin : diagram.bins) {
    if (bin.count > 0) {
      const double gap = std::abs(bin.accuracy - bin.confidence);
      const double share = static_cast<double>(bin.count) / static_cast<double>(diagram.total);
      ece.add(share * gap);
      squares.add(share * gap * gap);
      diagram.mce = std::max(diagram.mce, gap);
    }
  }
  diagram.ece = ece.value();
  diagram.rmsce = std::sqrt(squares.value());
}

/// Bins over (edges[j], edges[j+1]]; what lies beyond the outer edges belongs to the outer bins.
template <class T>
std::vector<BinSums> sumsOver(const std::vector<double>& edges, std::span<const T> confidence,
                              std::span<const std::uint8_t> correct) {
  std::vector<BinSums> sums(edges.size() - 1);
  const auto last = static_cast<std::ptrdiff_t>(sums.size()) - 1;
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    const double value = double{confidence[i]};
    const auto upper = std::lower_bound(edges.begin(), edges.end(), value);
    const auto bin = std::clamp<std::ptrdiff_t>(upper - edges.begin() - 1, 0, last);
    sums[static_cast<std::size_t>(bin)].add(value, correct[i] != 0);
  }
  return sums;
}

ReliabilityDiagram diagramOf(const std::vector<BinSums>& sums, const std::vector<double>& edges) {
  ReliabilityDiagram diagram;
  diagram.bins.reserve(sums.size());
  for (std::size_t j = 0; j < sums.size(); ++j) {
    diagram.bins.push_back(finished(sums[j], edges[j], edges[j + 1]));
  }
  finish(diagram);
  return diagram;
}

template <class T>
ReliabilityDiagram equalWidth(std::span<const T> confidence, std::span<const std::uint8_t> correct,
                              std::int64_t bins) {
  requireInput(confidence, correct, bins);
  std::vector<double> edges(static_cast<std::size_t>(bins) + 1);
  for (std::size_t j = 0; j < edges.size(); ++j) {
    edges[j] = static_cast<double>(j) / static_cast<double>(bins);
  }
  ReliabilityDiagram diagram = diagramOf(sumsOver(edges, confidence, correct), edges);
  diagram.convention = fmt::format("{} bins, L1, equal width, top-label", bins);
  return diagram;
}

ReliabilityDiagram equalMassTiesKept(std::span<const double> confidence,
                                     std::span<const std::uint8_t> correct, std::int64_t bins) {
  std::vector<double> sorted(confidence.begin(), confidence.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<std::int64_t>(sorted.size());
  if (n == 0) {
    return diagramOf({}, {});
  }
  std::vector<double> edges{sorted.front()};
  for (std::int64_t j = 1; j <= bins; ++j) {
    const std::int64_t items_below = (j * n + bins - 1) / bins;
    edges.push_back(sorted[static_cast<std::size_t>(items_below - 1)]);
  }
  // The first entry is the lower end and may well equal the first upper edge: it stays, and the
  // search must not find it.
  edges.erase(std::unique(edges.begin() + 1, edges.end()), edges.end());
  std::vector<double> searched = edges;
  searched.front() = -std::numeric_limits<double>::infinity();
  return diagramOf(sumsOver(searched, confidence, correct), edges);
}

ReliabilityDiagram equalMassSplit(std::span<const double> confidence,
                                  std::span<const std::uint8_t> correct, std::int64_t bins) {
  std::vector<std::size_t> order(confidence.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return confidence[a] < confidence[b]; });
  const std::size_t parts = static_cast<std::size_t>(bins);
  ReliabilityDiagram diagram;
  std::size_t next = 0;
  for (std::size_t j = 0; j < parts; ++j) {
    const std::size_t size = order.size() / parts + (j < order.size() % parts ? 1 : 0);
    BinSums sums;
    for (std::size_t i = next; i < next + size; ++i) {
      sums.add(confidence[order[i]], correct[order[i]] != 0);
    }
    const double low = size > 0 ? confidence[order[next]] : kNaN;
    const double high = size > 0 ? confidence[order[next + size - 1]] : kNaN;
    diagram.bins.push_back(finished(sums, low, high));
    next += size;
  }
  finish(diagram);
  return diagram;
}

}  // namespace

ReliabilityDiagram equalWidthReliability(std::span<const double> confidence,
                                         std::span<const std::uint8_t> correct, std::int64_t bins) {
  return equalWidth(confidence, correct, bins);
}
ReliabilityDiagram equalWidthReliability(std::span<const float> confidence,
                                         std::span<const std::uint8_t> correct, std::int64_t bins) {
  return equalWidth(confidence, correct, bins);
}

ReliabilityDiagram equalMassReliability(std::span<const double> confidence,
                                        std::span<const std::uint8_t> correct, std::int64_t bins,
                                        EqualMassTies ties) {
  requireInput(confidence, correct, bins);
  const bool kept = ties == EqualMassTies::kKept;
  ReliabilityDiagram diagram = kept ? equalMassTiesKept(confidence, correct, bins)
                                    : equalMassSplit(confidence, correct, bins);
  diagram.convention = fmt::format("{} bins, L1, equal mass, ties {}, top-label", bins,
                                   kept ? "kept together" : "split");
  return diagram;
}

Interval wilson95(std::int64_t successes, std::int64_t n) {
  if (n == 0) {
    return {kNaN, kNaN};
  }
  constexpr double kZ = 1.959963984540054;
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double scale = 1.0 / (1.0 + kZ * kZ / count);
  const double centre = scale * (share + kZ * kZ / (2.0 * count));
  const double half =
      scale * kZ * std::sqrt(share * (1.0 - share) / count + kZ * kZ / (4.0 * count * count));
  return {successes == 0 ? 0.0 : centre - half, successes == n ? 1.0 : centre + half};
}

}  // namespace dubito
