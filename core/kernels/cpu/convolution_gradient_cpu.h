// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace dubito {

/// Gradient of a two-dimensional convolution with one group with respect to its input, for
/// gradients of its output that are mostly 0, as ReLU and max-pooling leave them: zeros cost next
/// to nothing. Pairs are [rows, columns]. All arrays are contiguous.
struct ConvolutionGradientTask {
  const float* gradients = nullptr;  ///< [items, outputs, output_size]
  /// Weights by output, kernel row, kernel column and channel: [outputs, kernel[0], run] with
  /// run = kernel[1] channels rounded up to a multiple of kConvolutionRun, filled up with zeros.
  const float* weights = nullptr;
  float* result = nullptr;  ///< [items, channels, input_size]
  std::int64_t outputs = 0;
  std::int64_t channels = 0;
  std::array<std::int64_t, 2> input_size{};
  std::array<std::int64_t, 2> output_size{};
  std::array<std::int64_t, 2> kernel{};
  std::array<std::int64_t, 2> stride{};
  std::array<std::int64_t, 2> padding{};
  std::int64_t row_dilation = 1;  ///< that of columns is 1

  [[nodiscard]] std::int64_t run() const;
};

inline constexpr std::int64_t kConvolutionRun = 8;

inline std::int64_t ConvolutionGradientTask::run() const {
  return (kernel[1] * channels + kConvolutionRun - 1) / kConvolutionRun * kConvolutionRun;
}

/// Writes the results of the items [begin, end) on the calling thread. Relative error a few 1e-7 of
/// the sum of the sizes of the terms.
void convolutionGradientCpu(const ConvolutionGradientTask& task, std::int64_t begin,
                            std::int64_t end);

}  // namespace dubito
