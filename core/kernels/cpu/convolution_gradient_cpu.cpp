// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/convolution_gradient_cpu.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#ifdef DUBITO_HAS_HIGHWAY

// This file is compiled once per instruction set; the best one is selected at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/cpu/convolution_gradient_cpu.cpp"
// Vectors of unknown size cannot be stored in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dubito::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 8>;
using V = hn::Vec<D>;

template <std::size_t kVectors>
void addVectors(const float* factors, const std::int32_t* rows, std::int64_t count,
                const float* parts, std::int64_t stride, float* sums) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V added[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    added[v] = hn::LoadU(d, sums + v * lanes);
  }
  for (std::int64_t t = 0; t < count; ++t) {
    const V factor = hn::Set(d, factors[t]);
    const float* const part = parts + rows[t] * stride;
    for (std::size_t v = 0; v < kVectors; ++v) {
      added[v] = hn::MulAdd(factor, hn::LoadU(d, part + v * lanes), added[v]);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(added[v], d, sums + v * lanes);
  }
}

/// sums[k] += sum_t factors[t] parts[rows[t] stride + k] for k in [0, size), a multiple of
/// kConvolutionRun.
void addRows(const float* factors, const std::int32_t* rows, std::int64_t count, const float* parts,
             std::int64_t stride, std::int64_t size, float* sums) {
  constexpr std::size_t kVectors = 4;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  const std::int64_t together = static_cast<std::int64_t>(kVectors) * lanes;
  std::int64_t k = 0;
  for (; k + together <= size; k += together) {
    addVectors<kVectors>(factors, rows, count, parts + k, stride, sums + k);
  }
  for (; k < size; k += lanes) {
    addVectors<1>(factors, rows, count, parts + k, stride, sums + k);
  }
}

}  // namespace
}  // namespace dubito::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // DUBITO_HAS_HIGHWAY

#if !defined(DUBITO_HAS_HIGHWAY) || HWY_ONCE

namespace dubito {
namespace {

#ifdef DUBITO_HAS_HIGHWAY
HWY_EXPORT(addRows);
#else
void addRows(const float* factors, const std::int32_t* rows, std::int64_t count, const float* parts,
             std::int64_t stride, std::int64_t size, float* sums) {
  for (std::int64_t t = 0; t < count; ++t) {
    for (std::int64_t k = 0; k < size; ++k) {
      sums[k] += factors[t] * parts[rows[t] * stride + k];
    }
  }
}
#endif

/// The outputs with a gradient at every column of a row of positions, and their gradients.
struct NonZeros {
  NonZeros(std::int64_t columns, std::int64_t outputs)
      : outputs_(outputs),
        counts(static_cast<std::size_t>(columns)),
        rows(static_cast<std::size_t>(columns * outputs)),
        values(static_cast<std::size_t>(columns * outputs)) {}

  void find(const ConvolutionGradientTask& task, const float* gradients, std::int64_t y) {
    std::ranges::fill(counts, 0);
    const std::int64_t columns = task.output_size[1];
    for (std::int64_t o = 0; o < task.outputs; ++o) {
      const float* const row = gradients + (o * task.output_size[0] + y) * columns;
      for (std::int64_t x = 0; x < columns; ++x) {
        // Without a branch, because where the zeros are is as good as random.
        auto& count = counts[static_cast<std::size_t>(x)];
        const auto place = static_cast<std::size_t>(x * outputs_ + count);
        rows[place] = static_cast<std::int32_t>(o);
        values[place] = row[x];
        count += row[x] != 0.0F ? 1 : 0;
      }
    }
  }

 private:
  std::int64_t outputs_;

 public:
  std::vector<std::int64_t> counts;
  std::vector<std::int32_t> rows;
  std::vector<float> values;
};

}  // namespace

void convolutionGradientCpu(const ConvolutionGradientTask& task, std::int64_t begin,
                            std::int64_t end) {
#ifdef DUBITO_HAS_HIGHWAY
  const auto add_rows = HWY_DYNAMIC_DISPATCH(addRows);
#else
  const auto add_rows = &addRows;
#endif
  const std::int64_t run = task.run();
  const std::int64_t height = task.input_size[0] + 2 * task.padding[0];
  const std::int64_t width = task.input_size[1] + 2 * task.padding[1];
  // Channels last, so that a row of the kernel is consecutive. A run may reach beyond the end.
  std::vector<float> padded(static_cast<std::size_t>(height * width * task.channels + run));
  NonZeros found(task.output_size[1], task.outputs);
  for (std::int64_t item = begin; item < end; ++item) {
    std::ranges::fill(padded, 0.0F);
    const float* const gradients =
        task.gradients + item * task.outputs * task.output_size[0] * task.output_size[1];
    for (std::int64_t y = 0; y < task.output_size[0]; ++y) {
      found.find(task, gradients, y);
      for (std::int64_t x = 0; x < task.output_size[1]; ++x) {
        const std::int64_t count = found.counts[static_cast<std::size_t>(x)];
        if (count == 0) {
          continue;
        }
        const float* const values = found.values.data() + x * task.outputs;
        const std::int32_t* const rows = found.rows.data() + x * task.outputs;
        for (std::int64_t i = 0; i < task.kernel[0]; ++i) {
          const std::int64_t row = y * task.stride[0] + i * task.row_dilation;
          add_rows(values, rows, count, task.weights + i * run, task.kernel[0] * run, run,
                   padded.data() + (row * width + x * task.stride[1]) * task.channels);
        }
      }
    }
    float* to = task.result + item * task.channels * task.input_size[0] * task.input_size[1];
    for (std::int64_t c = 0; c < task.channels; ++c) {
      for (std::int64_t y = 0; y < task.input_size[0]; ++y) {
        const float* from =
            padded.data() + ((y + task.padding[0]) * width + task.padding[1]) * task.channels + c;
        for (std::int64_t x = 0; x < task.input_size[1]; ++x, from += task.channels) {
          *to++ = *from;
        }
      }
    }
  }
}

}  // namespace dubito

#endif
