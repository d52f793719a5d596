// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <optional>

namespace torch {
class Library;
}

namespace dubito {

/// [rows, columns]
struct ConvolutionShape {
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> padding{0, 0};
  std::array<std::int64_t, 2> dilation{1, 1};
};

/// at::conv2d with one group, `x` [N, C, H, W], `weight` [O, C, h, w], `bias` [O], the same bits.
/// Differentiable with respect to `x` alone, once. In float32 on the CPU, the backward pass skips
/// the zeros of gradients that are mostly 0, as after max-pooling; others, and other types and
/// devices, take torch's. Thread-safe.
[[nodiscard]] at::Tensor sparseConvolution(const at::Tensor& x, const at::Tensor& weight,
                                           const std::optional<at::Tensor>& bias,
                                           const ConvolutionShape& shape);

/// Defines `dubito::sparse_conv2d(Tensor x, Tensor weight, Tensor? bias, int[] stride, int[]
/// padding, int[] dilation) -> Tensor`, sparseConvolution as an operator.
void defineSparseConvolution(torch::Library& library);

}  // namespace dubito
