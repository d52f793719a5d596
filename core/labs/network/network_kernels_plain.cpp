// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/labs/network/network_kernels.h"
#include "core/labs/network/portable_math.h"

namespace dubito {
namespace plain_network {
namespace {

/// "Vectors" of one number.
struct Simd {
  using V = double;
  using M = bool;
  static constexpr std::int64_t kLanes = 1;
  static V load(const double* from) { return *from; }
  static void store(V value, double* to) { *to = value; }
  static V set(double value) { return value; }
  static V add(V a, V b) { return a + b; }
  static V sub(V a, V b) { return a - b; }
  static V mul(V a, V b) { return a * b; }
  static V div(V a, V b) { return a / b; }
  static V abs(V a) { return std::abs(a); }
  static V copySign(V size, V sign) { return std::copysign(size, sign); }
  static M lessEqual(V a, V b) { return a <= b; }
  static V select(M mask, V yes, V no) { return mask ? yes : no; }
  /// `value` times 2^k, k in the low bits of `exponent`.
  static V timesPowerOfTwo(V value, V exponent) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) +
                                 (std::bit_cast<std::uint64_t>(exponent) << 52));
  }
};

#include "core/labs/network/network_kernels-inl.h"

}  // namespace
}  // namespace plain_network

const NetworkKernels& plainNetworkKernels() {
  static constexpr NetworkKernels kKernels{plain_network::product, plain_network::outerSum};
  return kKernels;
}

#ifndef DUBITO_HAS_HIGHWAY
const NetworkKernels& networkKernels() {
  return plainNetworkKernels();
}
#endif

double portableExp(double x) {
  if (std::isnan(x)) {
    return x;
  }
  if (x < -708.0) {
    return 0.0;
  }
  return x > 709.0 ? std::numeric_limits<double>::infinity() : plain_network::expInRange(x);
}

double portableTanh(double x) {
  return plain_network::tanhOf(x);
}

}  // namespace dubito
