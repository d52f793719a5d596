// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dubito {

/// Computes the bin (edges[j], edges[j+1]] of a value in constant time, for (nearly) equally spaced
/// edges. Values outside the edges belong to the first or the last bin.
class BinFinder {
 public:
  /// `edges`: at least two, ascending.
  explicit BinFinder(std::vector<double> edges)
      : edges_(std::move(edges)),
        low_(edges_.front()),
        scale_(static_cast<double>(edges_.size() - 1) / (edges_.back() - edges_.front())),
        last_(static_cast<double>(edges_.size() - 2)) {
    edges_.front() = std::numeric_limits<double>::quiet_NaN();  // nothing is below, not even -inf
    edges_.back() = std::numeric_limits<double>::infinity();
  }

  /// The edges j/bins, j = 0..bins, of equal bins of [0, 1].
  static std::vector<double> unitEdges(std::int64_t bins) {
    std::vector<double> edges(static_cast<std::size_t>(bins) + 1);
    for (std::size_t j = 0; j < edges.size(); ++j) {
      edges[j] = static_cast<double>(j) / static_cast<double>(bins);
    }
    return edges;
  }

  /// Upper edge of the first bin; infinite if it is the only one.
  [[nodiscard]] double firstEdge() const { return edges_[1]; }
  [[nodiscard]] std::size_t size() const { return edges_.size() - 1; }

  /// The bin of `value`. NaN belongs to the first bin (std::max(0, NaN) is 0 in this order).
  [[nodiscard]] std::size_t operator()(double value) const {
    const double guess = std::min(std::max(0.0, (value - low_) * scale_), last_);
    auto bin = static_cast<std::size_t>(static_cast<std::int32_t>(guess));
    // With rounding, and for values on an edge, the guess is off by one at most.
    bin -= value <= edges_[bin] ? 1U : 0U;
    bin += value > edges_[bin + 1] ? 1U : 0U;
    return bin;
  }

 private:
  std::vector<double> edges_;
  double low_;
  double scale_;
  double last_;
};

/// BinFinder of unitEdges() for float values, whose products with the number of bins are exact in
/// double: no edge has to be looked at.
class UnitBinFinder {
 public:
  /// `bins` in [1, 2^29).
  explicit UnitBinFinder(std::int64_t bins) : bins_(static_cast<double>(bins)) {}

  [[nodiscard]] std::int32_t operator()(float value) const {
    const double product = std::min(std::max(0.0, double{value} * bins_), bins_);
    const auto whole = static_cast<std::int32_t>(product);
    const std::int32_t is_on_edge = static_cast<double>(whole) == product ? 1 : 0;
    return std::max(0, whole - is_on_edge);
  }

 private:
  double bins_;
};

}  // namespace dubito
