// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/calibration_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/nan.h"
#include "core/metrics/rank_walk.h"
#include "core/metrics/wilson_interval.h"

namespace dubito {
void EqualWidthSums::add(const EqualWidthSums& other) {
  for (std::size_t j = 0; j < sums_.size(); ++j) {
    sums_[j].add(other.sums_[j]);
  }
}

ReliabilityDiagram EqualWidthSums::diagram() const {
  const auto bins = static_cast<std::int64_t>(sums_.size());
  ReliabilityDiagram diagram = diagramOf(sums_, BinFinder::unitEdges(bins));
  diagram.convention = fmt::format("{} bins, L1, equal width, top-label", bins);
  return diagram;
}

ReliabilityBin finishedBin(const BinSums& sums, double low, double high) {
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

void finishDiagram(ReliabilityDiagram& diagram) {
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

ReliabilityDiagram diagramOf(const std::vector<BinSums>& sums, const std::vector<double>& edges) {
  ReliabilityDiagram diagram;
  diagram.bins.reserve(sums.size());
  for (std::size_t j = 0; j < sums.size(); ++j) {
    diagram.bins.push_back(finishedBin(sums[j], edges[j], edges[j + 1]));
  }
  finishDiagram(diagram);
  return diagram;
}

ReliabilityDiagram equalMassOfSorted(const SortedScores& correct, const SortedScores& wrong,
                                     std::int64_t bins, const RunContext& context,
                                     double (*confidence_of)(double)) {
  const RankedGroups groups{{&correct}, {&wrong}};
  const auto n = static_cast<std::int64_t>(correct.size() + wrong.size());
  std::vector<BinSums> sums;
  std::vector<double> edges;
  BinSums open;
  std::int64_t passed = 0;
  // Upper edges are the scores of rank ceil(j n / bins): a bin closes after the ties of the score
  // at that rank.
  std::int64_t next_edge = 1;
  const auto rankOfEdge = [&](std::int64_t j) { return (j * n + bins - 1) / bins; };
  walkRanks(groups, RankOrder::kLowFirst, context,
            [&](double score, std::int64_t right, std::int64_t not_right) {
              const double confidence = confidence_of(score);
              if (edges.empty()) {
                edges.push_back(confidence);
              }
              const std::int64_t items = right + not_right;
              open.count += items;
              open.correct += right;
              open.confidence.add(confidence * static_cast<double>(items));
              passed += items;
              if (passed < rankOfEdge(next_edge)) {
                return;
              }
              while (next_edge <= bins && passed >= rankOfEdge(next_edge)) {
                ++next_edge;
              }
              sums.push_back(std::exchange(open, {}));
              edges.push_back(confidence);
            });
  ReliabilityDiagram diagram = diagramOf(sums, edges);
  diagram.convention = fmt::format("{} bins, L1, equal mass, ties kept together, top-label", bins);
  return diagram;
}

}  // namespace dubito
