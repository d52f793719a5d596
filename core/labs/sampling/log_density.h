// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace dubito {

/// Logarithm of an unnormalised density on R^D. Immutable; may be evaluated on several threads at
/// once.
class LogDensity {
 public:
  virtual ~LogDensity() = default;
  /// D, >= 1.
  [[nodiscard]] virtual std::int64_t dimension() const = 0;
  /// ln p(q) at `q` [D], up to a constant; -inf if the density is 0. Writes d ln p/dq to `gradient`
  /// [D] unless that is empty; its values are unspecified if the density is 0.
  virtual double evaluate(std::span<const double> q, std::span<double> gradient) const = 0;
};

}  // namespace dubito
