// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/reliability_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/base/nan.h"
#include "core/metrics/calibration_error.h"

namespace dubito {
namespace {

template <class T>
void requireInput(std::span<const T> confidence, std::span<const std::uint8_t> correct,
                  std::int64_t bins) {
  if (confidence.size() != correct.size()) {
    throw std::invalid_argument("calibration: needs as many outcomes as confidences");
  }
  if (bins < 1) {
    throw std::invalid_argument("calibration: needs at least one bin");
  }
  if (std::any_of(confidence.begin(), confidence.end(), [](T c) { return std::isnan(c); })) {
    throw std::invalid_argument("calibration: a confidence is NaN");
  }
}

template <class T>
ReliabilityDiagram equalWidth(std::span<const T> confidence, std::span<const std::uint8_t> correct,
                              std::int64_t bins) {
  requireInput(confidence, correct, bins);
  EqualWidthSums sums(bins);
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    sums.add(double{confidence[i]}, correct[i] != 0);
  }
  return sums.diagram();
}

ReliabilityDiagram equalMassTiesKept(std::span<const double> confidence,
                                     std::span<const std::uint8_t> correct, std::int64_t bins) {
  std::array<std::vector<std::uint64_t>, 2> keys;
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    keys[correct[i] != 0 ? 1 : 0].push_back(SortedScores::keyOf(confidence[i]));
  }
  const RunContext context;
  const SortedScores wrong(std::move(keys[0]), context);
  const SortedScores right(std::move(keys[1]), context);
  return equalMassOfSorted(right, wrong, bins, context);
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
    diagram.bins.push_back(finishedBin(sums, low, high));
    next += size;
  }
  finishDiagram(diagram);
  diagram.convention = fmt::format("{} bins, L1, equal mass, ties split, top-label", bins);
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
  return ties == EqualMassTies::kKept ? equalMassTiesKept(confidence, correct, bins)
                                      : equalMassSplit(confidence, correct, bins);
}

Curve reliabilityCurve(const ReliabilityDiagram& diagram) {
  Curve curve;
  curve.summary = diagram.ece;
  for (const ReliabilityBin& bin : diagram.bins) {
    if (bin.count > 0) {
      curve.x.push_back(bin.confidence);
      curve.y.push_back(bin.accuracy);
    }
  }
  return curve;
}

}  // namespace dubito
