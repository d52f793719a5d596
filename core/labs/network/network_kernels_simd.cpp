// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <cstdint>

#include "core/labs/network/network_kernels.h"

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/labs/network/network_kernels_simd.cpp"
// Vectors of unknown size cannot be stored in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

struct Simd {
  using D = hn::CappedTag<double, static_cast<std::size_t>(kItemLanes)>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static HWY_INLINE V load(const double* from) { return hn::Load(D(), from); }
  static HWY_INLINE void store(V value, double* to) { hn::Store(value, D(), to); }
  static HWY_INLINE V set(double value) { return hn::Set(D(), value); }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
  static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE V div(V a, V b) { return hn::Div(a, b); }
  static HWY_INLINE V abs(V a) { return hn::Abs(a); }
  static HWY_INLINE V copySign(V size, V sign) { return hn::CopySign(size, sign); }
  static HWY_INLINE M lessEqual(V a, V b) { return hn::Le(a, b); }
  static HWY_INLINE V select(M mask, V yes, V no) { return hn::IfThenElse(mask, yes, no); }
  /// `value` times 2^k, k in the low bits of `exponent`.
  static HWY_INLINE V timesPowerOfTwo(V value, V exponent) {
    const hn::RebindToSigned<D> di;
    return hn::BitCast(
        D(), hn::Add(hn::BitCast(di, value), hn::ShiftLeft<52>(hn::BitCast(di, exponent))));
  }
};

#include "core/labs/network/network_kernels-inl.h"

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace dubito {
namespace {

HWY_EXPORT(product);
HWY_EXPORT(outerSum);

void productOfBestTarget(const ProductTask& task) {
  HWY_DYNAMIC_DISPATCH(product)(task);
}

void outerSumOfBestTarget(const OuterSumTask& task) {
  HWY_DYNAMIC_DISPATCH(outerSum)(task);
}

}  // namespace

const NetworkKernels& networkKernels() {
  static constexpr NetworkKernels kKernels{productOfBestTarget, outerSumOfBestTarget};
  return kKernels;
}

}  // namespace dubito

#endif

#endif  // DUBITO_HAS_HIGHWAY
