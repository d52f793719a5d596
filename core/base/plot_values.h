// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace dubito {

/// A closed interval of real numbers.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// `count` numbers at equal distances over `range`, from its lower to its upper end; a single one
/// is the lower end.
[[nodiscard]] std::vector<double> evenlySpaced(Interval range, std::int64_t count);

/// A curve to draw: points in drawing order. `name` is the legend entry.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  /// The number that summarises the curve (AUROC, AP, ...); NaN if there is none.
  double summary = 0.0;
};

/// Counts of values in contiguous bins: the first is [e0, e1], every other (e_j, e_j+1]. Values
/// beyond the outer edges count in the outer bins, so the counts sum to `total`.
struct Histogram {
  std::vector<double> edges;         ///< bins + 1, ascending
  std::vector<std::int64_t> counts;  ///< one per bin
  std::int64_t total = 0;

  /// Share of the values in `bin`, in [0, 1]; 0 for an empty histogram.
  [[nodiscard]] double share(std::size_t bin) const {
    return total == 0 ? 0.0 : static_cast<double>(counts[bin]) / static_cast<double>(total);
  }
};

/// Histogram of `values` over `bins` equal parts of [range.low, range.high]. NaN is not counted.
/// Throws std::invalid_argument if bins < 1 or the range is empty.
[[nodiscard]] Histogram makeHistogram(std::span<const double> values, Interval range, int bins);

/// One bin (low, high] of a reliability diagram; the first bin is closed on both sides.
struct ReliabilityBin {
  double low = 0.0;
  double high = 0.0;
  std::int64_t count = 0;
  double accuracy = 0.0;    ///< fraction of correct predictions; NaN if count is 0
  double confidence = 0.0;  ///< mean confidence; NaN if count is 0
  Interval wilson95;        ///< 95 % Wilson score interval of the accuracy; NaN if count is 0
};

/// A reliability diagram. `convention` states how it was computed ("15 bins, L1, equal width,
/// top-label").
struct ReliabilityDiagram {
  std::vector<ReliabilityBin> bins;
  double ece = 0.0;        ///< expected calibration error, in [0, 1]
  double mce = 0.0;        ///< maximum calibration error: largest gap of a non-empty bin
  double rmsce = 0.0;      ///< root mean square calibration error
  std::int64_t total = 0;  ///< items in all bins
  std::string convention;
};

/// An 8-bit image: [height, width, channels] with 1 (grey) or 3 (red, green, blue) channels.
struct Image8 {
  Array<std::uint8_t> pixels;
  [[nodiscard]] std::int64_t height() const { return pixels.extent(0); }
  [[nodiscard]] std::int64_t width() const { return pixels.extent(1); }
  [[nodiscard]] std::int64_t channels() const { return pixels.extent(2); }
};

}  // namespace dubito
