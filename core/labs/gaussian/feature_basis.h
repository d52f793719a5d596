// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/array.h"
#include "core/base/plot_values.h"

namespace dubito {

/// Features phi(x) of one-dimensional inputs, scaled to a range of inputs. The first is 1.
class FeatureBasis {
 public:
  enum class Kind {
    kPowers,      ///< x^0, ..., x^size: unscaled
    kPolynomial,  ///< Legendre polynomials sqrt(2 k + 1) P_k(u), k = 0 ... size, u in [-1, 1]
    kRadial,      ///< 1, and exp(-(x - c)^2 / (2 w^2)) at `size` even centres c, w their spacing
    kFourier,     ///< 1, and cos, sin of 2 pi k (x - low) / period, k = 1 ... size; the period is
                  ///< twice the range, so that both ends are independent
  };

  /// `size` >= 1. `range` is that of the training inputs; an empty range counts as one of width 1.
  FeatureBasis(Kind kind, std::int64_t size, Interval range);

  [[nodiscard]] std::int64_t count() const;
  /// phi(x) as [size of x, count()].
  [[nodiscard]] Array<double> features(std::span<const double> x) const;

 private:
  void write(double x, std::span<double> values) const;

  Kind kind_;
  std::int64_t size_;
  Interval range_;
};

/// "powers", "polynomial", "radial" or "fourier"; throws std::invalid_argument for anything else.
[[nodiscard]] FeatureBasis::Kind parseBasis(const std::string& name);

}  // namespace dubito
