// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/tool_conventions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/nan.h"
#include "core/metrics/calibration_error.h"
#include "core/metrics/labelled_rows.h"

namespace dubito {
namespace {

/// Number of edges <= `value`: the bin [l, r), counted from 1.
std::size_t edgesUpTo(const std::vector<double>& edges, double value) {
  return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) -
                                  edges.begin());
}

/// Errors over the bins given by `bin_of`; items with -1 are left out.
template <class BinOf>
CalibrationErrors errorsOf(std::span<const double> confidence,
                           std::span<const std::uint8_t> correct, std::size_t bins,
                           const BinOf& bin_of) {
  std::vector<BinSums> sums(bins);
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    if (const std::int64_t bin = bin_of(confidence[i]); bin >= 0) {
      sums[static_cast<std::size_t>(bin)].add(confidence[i], correct[i] != 0);
    }
  }
  ReliabilityDiagram diagram;
  for (const BinSums& bin : sums) {
    diagram.bins.push_back(finishedBin(bin, kNaN, kNaN));
  }
  finishDiagram(diagram);
  return {diagram.ece, diagram.rmsce, diagram.mce};
}

/// torch.linspace(0, 1, bins + 1): computed from both ends to the middle.
template <class T>
std::vector<double> torchEdges(std::int64_t bins) {
  const T step = T{1} / static_cast<T>(bins);
  std::vector<double> edges;
  for (std::int64_t j = 0; j <= bins; ++j) {
    const T edge =
        j < (bins + 1) / 2 ? step * static_cast<T>(j) : T{1} - step * static_cast<T>(bins - j);
    edges.push_back(double{edge});
  }
  return edges;
}

/// numpy.linspace(0, 1, bins + 1).
std::vector<double> numpyEdges(std::int64_t bins) {
  const double step = 1.0 / static_cast<double>(bins);
  std::vector<double> edges;
  for (std::int64_t j = 0; j < bins; ++j) {
    edges.push_back(static_cast<double>(j) * step);
  }
  edges.push_back(1.0);
  return edges;
}

template <class T>
double clippedNll(const Array<T>& probs, std::span<const std::int64_t> labels, double smallest) {
  const T low = static_cast<T>(smallest);
  const T high = T{1} - low;
  CompensatedSum sum;
  const std::vector<std::int64_t> rows = labelledRows(probs, labels);
  for (const std::int64_t i : rows) {
    const auto label = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
    const double p{std::clamp(probs.row(i)[label], low, high)};
    if (p == 0.0) {
      return std::numeric_limits<double>::infinity();
    }
    sum.add(-std::log(p));
  }
  return rows.empty() ? kNaN : sum.value() / static_cast<double>(rows.size());
}

}  // namespace

CalibrationErrors torchmetricsCalibration(std::span<const double> confidence,
                                          std::span<const std::uint8_t> correct, std::int64_t bins,
                                          bool is_float32) {
  const std::vector<double> edges = is_float32 ? torchEdges<float>(bins) : torchEdges<double>(bins);
  return errorsOf(confidence, correct, edges.size(), [&](double value) {
    return static_cast<std::int64_t>(edgesUpTo(edges, value)) - 1;
  });
}

double netcalCalibration(std::span<const double> confidence, std::span<const std::uint8_t> correct,
                         std::int64_t bins) {
  const std::vector<double> edges = numpyEdges(bins);
  return errorsOf(confidence, correct, static_cast<std::size_t>(bins),
                  [&](double value) {
                    return std::min(static_cast<std::int64_t>(edgesUpTo(edges, value)), bins) - 1;
                  })
      .l1;
}

double laplaceReduxCalibration(std::span<const double> confidence,
                               std::span<const std::uint8_t> correct) {
  constexpr std::int64_t kBins = 100;
  const std::vector<double> edges = numpyEdges(kBins);
  return errorsOf(confidence, correct, static_cast<std::size_t>(kBins),
                  [&](double value) {
                    const auto bin = static_cast<std::int64_t>(edgesUpTo(edges, value)) - 1;
                    return bin < kBins - 1 ? bin : std::int64_t{-1};
                  })
      .l1;
}

double trapezoidalPrecisionRecall(const ThresholdTable& table) {
  if (!(table.positives > 0.0)) {
    return kNaN;
  }
  CompensatedSum area;
  double recall = 0.0;
  double precision = 1.0;
  for (const ThresholdRow& row : table.rows) {
    const double next_recall = row.true_positives / table.positives;
    const double next_precision = row.true_positives / (row.true_positives + row.false_positives);
    area.add((next_recall - recall) * (precision + next_precision) / 2.0);
    recall = next_recall;
    precision = next_precision;
  }
  return area.value();
}

double clippedNegativeLogLikelihood(const Array<float>& probs, std::span<const std::int64_t> labels,
                                    double smallest) {
  return clippedNll(probs, labels, smallest);
}
double clippedNegativeLogLikelihood(const Array<double>& probs,
                                    std::span<const std::int64_t> labels, double smallest) {
  return clippedNll(probs, labels, smallest);
}

}  // namespace dubito
