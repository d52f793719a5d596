// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

#include "core/laplace/posterior/factors_torch.h"
#include "core/laplace/posterior/layer_sums_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {
namespace {

/// [B, M, L] as columns [M, B L].
at::Tensor columnsOf(const at::Tensor& values) {
  return values.transpose(0, 1).reshape({values.size(1), -1});
}

at::Tensor atLeastFloat(const at::Tensor& values) {
  return values.scalar_type() == at::kDouble ? values : values.to(at::kFloat);
}

// Rows of a product computed together; fewer rows waste less on its lower half.
constexpr std::int64_t kRowsPerBlock = 128;

/// Adds columns columns^T to the upper half of `sums` [M, M]; the lower half is undefined.
void addUpperHalf(const at::Tensor& columns, at::Tensor& sums, double scale) {
  const std::int64_t size = columns.size(0);
  for (std::int64_t begin = 0; begin < size; begin += kRowsPerBlock) {
    const std::int64_t end = std::min(begin + kRowsPerBlock, size);
    at::Tensor rows = sums.slice(0, begin, end).slice(1, begin, size);
    const at::Tensor left = columns.slice(0, begin, end);
    const at::Tensor right = columns.slice(0, begin).t();
    if (columns.scalar_type() == at::kDouble) {
      rows.addmm_(left, right, 1.0, scale);
    } else {
      rows.add_(at::mm(left, right), scale);
    }
  }
}

/// Adds scale sum_bl v_bl v_bl^T of [B, M, L] to the upper half of `sums`, in double. There are few
/// enough items for float32 sums over the positions of a convolution; the single position of a
/// linear layer is cheap to sum exactly.
void addProducts(const at::Tensor& values, at::Tensor& sums, double scale = 1.0) {
  if (values.size(2) == 1) {
    addUpperHalf(values.squeeze(2).to(at::kDouble).t(), sums, scale);
  } else {
    addUpperHalf(columnsOf(atLeastFloat(values)), sums, scale);
  }
}

/// The symmetric matrix with the upper half of `sums`.
at::Tensor symmetrised(const at::Tensor& sums) {
  return at::triu(sums) + at::triu(sums, 1).t();
}

}  // namespace

at::Tensor withOnes(const at::Tensor& inputs, bool has_bias) {
  return has_bias ? at::cat({inputs, inputs.new_ones({inputs.size(0), 1, inputs.size(2)})}, 1)
                  : inputs;
}

LayerSums::LayerSums(LaplaceStructure structure, const std::string& name, const at::Tensor& weight,
                     const at::Tensor& bias, bool separate_bias, at::Device device)
    : structure_(structure),
      layer_(emptyLayer(name, weight, bias)),
      separate_bias_(separate_bias),
      device_(device) {
  const at::TensorOptions options = at::TensorOptions(at::kDouble).device(device);
  if (structure == LaplaceStructure::kDiagonal) {
    diagonal_ = at::zeros({layer_.outputs, layer_.inputs}, options);
  } else {
    input_products_ = at::zeros({layer_.inputs, layer_.inputs}, options);
    output_products_ = at::zeros({layer_.outputs, layer_.outputs}, options);
  }
}

void LayerSums::addInputs(const at::Tensor& inputs) {
  if (structure_ == LaplaceStructure::kDiagonal) {
    return;
  }
  const at::NoGradGuard no_gradients;
  const at::Tensor values = inputs.to(device_);
  const std::int64_t width = values.size(1);
  at::Tensor weight_products = input_products_.slice(0, 0, width).slice(1, 0, width);
  addProducts(values, weight_products);
  if (layer_.has_bias) {
    const at::Tensor sums = values.sum(at::IntArrayRef({0, 2}), false, at::kDouble);
    input_products_.select(1, width).slice(0, 0, width).add_(sums);
    input_products_[width][width].add_(static_cast<double>(values.size(0) * values.size(2)));
  }
}

void LayerSums::addGradients(const at::Tensor& inputs, const at::Tensor& gradients) {
  const at::NoGradGuard no_gradients;
  const at::Tensor outputs = gradients.to(device_);
  const auto positions = static_cast<double>(outputs.size(2));
  if (structure_ != LaplaceStructure::kDiagonal) {
    addProducts(outputs, output_products_, 1.0 / positions);
    return;
  }
  const at::Tensor extended = withOnes(atLeastFloat(inputs.to(device_)), layer_.has_bias);
  if (outputs.size(2) == 1) {
    diagonal_.addmm_(outputs.squeeze(2).to(at::kDouble).square().t(),
                     extended.squeeze(2).to(at::kDouble).square());
  } else {
    // An item's weight gradient is a sum over positions, to be taken before squaring.
    diagonal_.add_(at::bmm(atLeastFloat(outputs), extended.transpose(1, 2))
                       .square_()
                       .sum({0}, false, at::kDouble));
  }
}

void LayerSums::merge(const LayerSums& other) {
  if (structure_ == LaplaceStructure::kDiagonal) {
    diagonal_.add_(other.diagonal_);
  } else {
    input_products_.add_(other.input_products_);
    output_products_.add_(other.output_products_);
  }
}

LayerFactors LayerSums::finish(std::int64_t items) && {
  const auto count = static_cast<double>(std::max<std::int64_t>(1, items));
  if (structure_ == LaplaceStructure::kDiagonal) {
    layer_.diagonal = arrayOf<double>(diagonal_.div_(count).cpu());
    return std::move(layer_);
  }
  if (separate_bias_ && layer_.has_bias) {
    const std::int64_t last = layer_.inputs - 1;
    input_products_.select(1, last).slice(0, 0, last).zero_();
  }
  layer_.input_products = arrayOf<double>(symmetrised(input_products_.div_(count).cpu()));
  layer_.output_products = arrayOf<double>(symmetrised(output_products_.div_(count).cpu()));
  return std::move(layer_);
}

}  // namespace dubito
