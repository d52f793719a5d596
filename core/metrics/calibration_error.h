// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/metrics/bin_finder.h"
#include "core/metrics/compensated_sum.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {

/// Sums of one bin of a reliability diagram, from which ECE and MCE are computed.
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

/// Collects equal-width bins (l, r] of [0, 1] item by item; collections of parts of a set, or of
/// several sets, can be joined.
class EqualWidthSums {
 public:
  /// `bins` >= 1.
  explicit EqualWidthSums(std::int64_t bins)
      : find_(BinFinder::unitEdges(bins)), sums_(static_cast<std::size_t>(bins)) {}

  /// `confidence` is not NaN.
  void add(double confidence, bool is_correct) {
    sums_[find_(confidence)].add(confidence, is_correct);
  }
  /// The other has as many bins.
  void add(const EqualWidthSums& other);

  [[nodiscard]] ReliabilityDiagram diagram() const;

 private:
  BinFinder find_;
  std::vector<BinSums> sums_;
};

/// The diagram of bins whose edges are known; `edges` has one entry more, or both are empty.
[[nodiscard]] ReliabilityDiagram diagramOf(const std::vector<BinSums>& sums,
                                           const std::vector<double>& edges);
[[nodiscard]] ReliabilityBin finishedBin(const BinSums& sums, double low, double high);
/// Sets the errors and the total from the bins.
void finishDiagram(ReliabilityDiagram& diagram);

/// Equal-mass bins, ties kept together, of the sorted confidences of right and wrong predictions,
/// in one walk. `confidence_of` maps what is sorted to the confidence, in the same order.
[[nodiscard]] ReliabilityDiagram equalMassOfSorted(
    const SortedScores& correct, const SortedScores& wrong, std::int64_t bins,
    const RunContext& context,
    double (*confidence_of)(double) = [](double confidence) { return confidence; });

}  // namespace dubito
