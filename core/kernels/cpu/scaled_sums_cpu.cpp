// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/scaled_sums_cpu.h"

#include <algorithm>
#include <cstddef>

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/cpu/scaled_sums_cpu.cpp"
// Vectors of unknown size cannot be stored in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

// Terms per panel: few enough for float32 to keep its precision and for the panel to stay in the L1
// cache for all rows.
constexpr std::int64_t kTermsPerPanel = 64;

/// Adds a panel of terms to kRows rows of kVectors vectors each.
template <std::size_t kRows, std::size_t kVectors>
void addPanel(const float* scale, std::int64_t scale_stride, const float* parts,
              std::int64_t parts_stride, std::int64_t terms, float* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V added[kRows][kVectors];
  for (auto& row : added) {
    for (V& sum : row) {
      sum = hn::Zero(d);
    }
  }
  for (std::int64_t r = 0; r < terms; ++r) {
    V part[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      part[v] = hn::Load(d, parts + r * parts_stride + static_cast<std::int64_t>(v * lanes));
    }
    for (std::size_t i = 0; i < kRows; ++i) {
      const V factor = hn::Set(d, scale[static_cast<std::int64_t>(i) * scale_stride + r]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        added[i][v] = hn::MulAdd(factor, part[v], added[i][v]);
      }
    }
  }
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      float* const to =
          sums + static_cast<std::int64_t>(i) * parts_stride + static_cast<std::int64_t>(v * lanes);
      hn::Store(hn::Add(hn::Load(d, to), added[i][v]), d, to);
    }
  }
}

void scaledSums(const ScaledSumsTask* task, std::int64_t begin, std::int64_t end, float* sums) {
  constexpr std::size_t kVectors = 2;
  constexpr std::int64_t kRows = 4;
  const std::int64_t rows = end - begin;
  const auto width = static_cast<std::int64_t>(kVectors * hn::Lanes(D()));
  std::fill_n(sums, rows * task->stride, 0.0F);
  for (std::int64_t term = 0; term < task->terms; term += kTermsPerPanel) {
    const std::int64_t terms = std::min(kTermsPerPanel, task->terms - term);
    for (std::int64_t k = 0; k < task->stride; k += width) {
      const float* const parts = task->parts + term * task->stride + k;
      const float* scale = task->scale + begin * task->terms + term;
      float* to = sums + k;
      std::int64_t row = 0;
      for (; row + kRows <= rows; row += kRows) {
        addPanel<kRows, kVectors>(scale, task->terms, parts, task->stride, terms, to);
        scale += kRows * task->terms;
        to += kRows * task->stride;
      }
      for (; row < rows; ++row) {
        addPanel<1, kVectors>(scale, task->terms, parts, task->stride, terms, to);
        scale += task->terms;
        to += task->stride;
      }
    }
  }
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace dubito {

HWY_EXPORT(scaledSums);

void scaledSumsCpu(const ScaledSumsTask& task, std::int64_t begin, std::int64_t end, float* sums) {
  HWY_DYNAMIC_DISPATCH(scaledSums)(&task, begin, end, sums);
}

}  // namespace dubito

#endif

#endif  // DUBITO_HAS_HIGHWAY
