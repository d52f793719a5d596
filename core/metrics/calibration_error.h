// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/compensated_sum.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/metrics/bin_finder.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

/// Sums over one bin of a reliability diagram, from which its accuracy and mean confidence are
/// computed.
struct BinSums {
  std::int64_t count = 0;
  std::int64_t correct = 0;
  CompensatedSum confidence;

  void add(double confidence_of_item, bool is_correct) {
    ++count;
    correct += is_correct ? 1 : 0;
    confidence.add(confidence_of_item);
  }
  void add(const BinSums& other) {
    count += other.count;
    correct += other.correct;
    confidence.add(other.confidence);
  }
};

/// Sums over M equal-width bins (l, r] of [0, 1]; the sums of several parts or datasets can be
/// added.
class EqualWidthSums {
 public:
  /// `bins` >= 1.
  explicit EqualWidthSums(std::int64_t bins)
      : find_(BinFinder::unitEdges(bins)), sums_(static_cast<std::size_t>(bins)) {}

  /// `confidence` must not be NaN.
  void add(double confidence, bool is_correct) {
    sums_[find_(confidence)].add(confidence, is_correct);
  }
  /// `other` must have the same number of bins.
  void add(const EqualWidthSums& other);

  [[nodiscard]] ReliabilityDiagram diagram() const;

 private:
  BinFinder find_;
  std::vector<BinSums> sums_;
};

/// The diagram of the bins with the given sums and edges; `edges` has one more entry than `sums`,
/// or both are empty.
[[nodiscard]] ReliabilityDiagram diagramOf(const std::vector<BinSums>& sums,
                                           const std::vector<double>& edges);
/// The bin (low, high] with the accuracy, mean confidence and interval computed from `sums`.
[[nodiscard]] ReliabilityBin finishedBin(const BinSums& sums, double low, double high);
/// Computes the calibration errors and the total from the bins of `diagram`.
void finishDiagram(ReliabilityDiagram& diagram);

/// Equal-mass bins with ties kept together, computed in one pass over the sorted scores of the
/// correct and the wrong predictions. `confidence_of` maps a score to a confidence and must be
/// increasing.
[[nodiscard]] ReliabilityDiagram equalMassOfSorted(
    const SortedScores& correct, const SortedScores& wrong, std::int64_t bins,
    const RunContext& context,
    double (*confidence_of)(double) = [](double confidence) { return confidence; });

}  // namespace dubito
