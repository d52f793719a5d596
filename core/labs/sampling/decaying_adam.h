// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// Adam (Kingma and Ba 2015) with its usual constants 0.9, 0.999 and 1e-8. The rate falls as half a
/// cosine from `rate` to 0 over `steps`, so that noisy gradients end at a point.
class DecayingAdam {
 public:
  DecayingAdam(std::int64_t dimension, double rate, std::int64_t steps);
  /// Moves `values` [D] against `gradient` [D].
  void step(std::span<double> values, std::span<const double> gradient);

 private:
  double rate_;
  std::int64_t steps_;
  std::int64_t done_ = 0;
  std::vector<double> first_;
  std::vector<double> second_;
};

}  // namespace dubito
