// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

namespace dubito {

/// What depends on the number of classes alone.
struct ClassShares {
  float share;           ///< 1 - 2 / K, which is 0 for two classes
  float inverse_square;  ///< 1 / K^2

  explicit ClassShares(std::int64_t classes)
      : share(static_cast<float>(1.0 - 2.0 / static_cast<double>(classes))),
        inverse_square(1.0F / (static_cast<float>(classes) * static_cast<float>(classes))) {}
};

/// The formula of bridge() in core/kernels/cpu/laplace_bridge_cpu.cpp, for one row.
class RowBridge {
 public:
  /// `sum` of exp(lowest - mean), `total` of the variances.
  __device__ RowBridge(const ClassShares& shares, bool centred, float sum, float total)
      : share_(shares.share),
        sum_share_(sum * shares.inverse_square),
        own_(centred ? shares.share : 1.0F),
        common_(centred ? total * shares.inverse_square : 0.0F) {}

  /// `power`: exp(-above).
  __device__ float logAlpha(float above, float power, float variance) const {
    const float of_bridge = fmaf(variance, own_, common_);
    // fmaxf would replace NaN by FLT_MIN.
    const float divisor = of_bridge < FLT_MIN ? FLT_MIN : of_bridge;
    // Within 2 or 3 ulp; the exact functions take five times as many instructions, and the division
    // a branch.
    const float quotient = __fdividef(fmaf(share_, power, sum_share_), divisor);
    return above + __logf(quotient < FLT_MIN ? FLT_MIN : quotient);
  }

 private:
  float share_;
  float sum_share_;
  float own_;
  float common_;
};

}  // namespace dubito
