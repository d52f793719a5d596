// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/laplace_bridge_cpu.h"

#include <algorithm>
#include <cstddef>

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/cpu/laplace_bridge_cpu.cpp"
// Vectors of unknown size cannot be stored in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two includes above, which set up the instruction set.
#include "core/kernels/cpu/exp_log-inl.h"
#include "core/kernels/cpu/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kTile = static_cast<std::size_t>(kBridgeTile);

using D = hn::CappedTag<float, kTile>;
using V = hn::Vec<D>;

/// Few classes: a vector holds one class of several rows, so that reductions need no shuffles.
struct AcrossRows {
  static V least(V values) { return values; }
  static V sum(V values) { return values; }
};

/// Many classes: a vector holds several classes of one row.
struct AcrossClasses {
  static V least(V values) { return hn::MinOfLanes(D(), values); }
  static V sum(V values) { return hn::SumOfLanes(D(), values); }
};

/// 1 / value, accurate to an ulp or two; a division would take as long as everything else.
V reciprocal(V value) {
  const V near = hn::ApproximateReciprocal(value);
  const V nearer = hn::Mul(near, hn::NegMulAdd(value, near, hn::Set(D(), 2.0F)));
  return hn::Mul(nearer, hn::NegMulAdd(value, nearer, hn::Set(D(), 2.0F)));
}

/// Replaces the means by log alpha: `count` vectors, `stride` floats apart; `powers` is scratch of
/// the same size. Padding in the last vector has an infinite mean and variance 0.
template <class Layout>
void bridge(float* mean, const float* variance, float* powers, std::size_t count,
            std::size_t stride, std::int64_t classes, bool centred) {
  const D d;
  V lowest = hn::Load(d, mean);
  V total = hn::Load(d, variance);
  for (std::size_t at = stride; at < count * stride; at += stride) {
    lowest = hn::Min(lowest, hn::Load(d, mean + at));
    total = hn::Add(total, hn::Load(d, variance + at));
  }
  lowest = Layout::least(lowest);
  V sum = hn::Zero(d);
  for (std::size_t at = 0; at < count * stride; at += stride) {
    const V power = fastExpOfNonPositive(d, hn::Sub(lowest, hn::Load(d, mean + at)));
    hn::Store(power, d, powers + at);
    sum = hn::Add(sum, power);
  }
  const auto size = static_cast<float>(classes);
  // 0 for two classes.
  const V share = hn::Set(d, static_cast<float>(1.0 - 2.0 / static_cast<double>(classes)));
  const V sum_share = hn::Mul(Layout::sum(sum), hn::Set(d, 1.0F / (size * size)));
  const V own = centred ? share : hn::Set(d, 1.0F);
  const V common =
      centred ? hn::Mul(Layout::sum(total), hn::Set(d, 1.0F / (size * size))) : hn::Zero(d);
  const V smallest = hn::Set(d, 0x1p-126F);
  for (std::size_t at = 0; at < count * stride; at += stride) {
    const V above = hn::Sub(hn::Load(d, mean + at), lowest);
    const V of_bridge = hn::MulAdd(hn::Load(d, variance + at), own, common);
    const V quotient = hn::Mul(hn::MulAdd(share, hn::Load(d, powers + at), sum_share),
                               reciprocal(hn::Max(smallest, of_bridge)));
    // Adding 0 * quotient propagates NaN, which the logarithm would lose.
    const V log_alpha = hn::Add(hn::MulAdd(hn::Zero(d), quotient, above),
                                logOfNormal(d, hn::Max(smallest, quotient)));
    hn::Store(log_alpha, d, mean + at);
  }
}

void bridgeTile(const DiagonalBridgeTask& task, std::int64_t begin, std::size_t count,
                float* scratch) {
  const auto classes = static_cast<std::size_t>(task.classes);
  float* const variance = scratch + classes * kTile;
  float* const powers = variance + classes * kTile;
  const std::int64_t from = begin * task.classes;
  if (count < kTile) {
    std::fill_n(scratch, 2 * classes * kTile, 0.0F);
  }
  transposeIn<kTile>(task.mean + from, count, classes, scratch);
  transposeIn<kTile>(task.variance + from, count, classes, variance);
  for (std::size_t lane = 0; lane < kTile; lane += hn::Lanes(D())) {
    bridge<AcrossRows>(scratch + lane, variance + lane, powers + lane, classes, kTile, task.classes,
                       task.centred);
  }
  transposeOut<kTile>(scratch, count, classes, task.log_alpha + from);
}

void bridgeRow(const DiagonalBridgeTask& task, std::int64_t row, float* scratch) {
  const auto classes = static_cast<std::size_t>(task.classes);
  const std::size_t lanes = hn::Lanes(D());
  const std::size_t count = (classes + lanes - 1) / lanes;
  float* const variance = scratch + count * lanes;
  float* const powers = variance + count * lanes;
  const std::int64_t from = row * task.classes;
  std::copy_n(task.mean + from, classes, scratch);
  std::copy_n(task.variance + from, classes, variance);
  std::fill(scratch + classes, scratch + count * lanes, hwy::HighestValue<float>());
  std::fill(variance + classes, variance + count * lanes, 0.0F);
  bridge<AcrossClasses>(scratch, variance, powers, count, lanes, task.classes, task.centred);
  std::copy_n(scratch, classes, task.log_alpha + from);
}

void bridgeDiagonal(const DiagonalBridgeTask* task, std::int64_t begin, std::int64_t end,
                    float* scratch) {
  if (task->classes > static_cast<std::int64_t>(kTile)) {
    for (std::int64_t row = begin; row < end; ++row) {
      bridgeRow(*task, row, scratch);
    }
    return;
  }
  for (std::int64_t row = begin; row < end; row += kBridgeTile) {
    bridgeTile(*task, row, static_cast<std::size_t>(std::min(kBridgeTile, end - row)), scratch);
  }
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace dubito {

HWY_EXPORT(bridgeDiagonal);

std::int64_t diagonalBridgeScratchSize(std::int64_t classes) {
  return 3 * kBridgeTile * (classes > kBridgeTile ? classes / kBridgeTile + 1 : classes);
}

void bridgeDiagonalCpu(const DiagonalBridgeTask& task, std::int64_t begin, std::int64_t end,
                       float* scratch) {
  HWY_DYNAMIC_DISPATCH(bridgeDiagonal)(&task, begin, end, scratch);
}

}  // namespace dubito

#endif

#endif  // DUBITO_HAS_HIGHWAY
