// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

#include "core/laplace/factors_torch.h"
#include "core/laplace/layer_sums_torch.h"
#include "core/laplace/tensors_torch.h"

namespace dubito {
namespace {

/// [B, M, L] as columns [M, B L].
at::Tensor columnsOf(const at::Tensor& values) {
  return values.transpose(0, 1).reshape({values.size(1), -1});
}

at::Tensor atLeastFloat(const at::Tensor& values) {
  return values.scalar_type() == at::kDouble ? values : values.to(at::kFloat);
}

/// sum_bl v_bl v_bl^T [M, M] of [B, M, L] in double. Items are few enough for float32 sums over the
/// positions of a convolution; the one position of a linear layer costs little, and is exact.
at::Tensor productsOf(const at::Tensor& values) {
  if (values.size(2) == 1) {
    const at::Tensor rows = values.squeeze(2).to(at::kDouble);
    return at::mm(rows.t(), rows);
  }
  const at::Tensor columns = columnsOf(atLeastFloat(values));
  return at::mm(columns, columns.t()).to(at::kDouble);
}

}  // namespace

at::Tensor withOnes(const at::Tensor& inputs, bool has_bias) {
  return has_bias ? at::cat({inputs, inputs.new_ones({inputs.size(0), 1, inputs.size(2)})}, 1)
                  : inputs;
}

LayerSums::LayerSums(LaplaceStructure structure, const std::string& name, const at::Tensor& weight,
                     const at::Tensor& bias, bool separate_bias)
    : structure_(structure), layer_(emptyLayer(name, weight, bias)), separate_bias_(separate_bias) {
  if (structure == LaplaceStructure::kDiagonal) {
    diagonal_ = at::zeros({layer_.outputs, layer_.inputs}, at::kDouble);
  } else {
    input_products_ = at::zeros({layer_.inputs, layer_.inputs}, at::kDouble);
    output_products_ = at::zeros({layer_.outputs, layer_.outputs}, at::kDouble);
  }
}

void LayerSums::addInputs(const at::Tensor& inputs) {
  if (structure_ == LaplaceStructure::kDiagonal) {
    return;
  }
  const at::NoGradGuard no_gradients;
  const at::Tensor values = inputs.cpu();
  const std::int64_t width = values.size(1);
  input_products_.slice(0, 0, width).slice(1, 0, width).add_(productsOf(values));
  if (layer_.has_bias) {
    const at::Tensor sums = values.sum(at::IntArrayRef({0, 2}), false, at::kDouble);
    input_products_.select(0, width).slice(0, 0, width).add_(sums);
    input_products_.select(1, width).slice(0, 0, width).add_(sums);
    input_products_[width][width].add_(static_cast<double>(values.size(0) * values.size(2)));
  }
}

void LayerSums::addGradients(const at::Tensor& inputs, const at::Tensor& gradients) {
  const at::NoGradGuard no_gradients;
  const at::Tensor outputs = gradients.cpu();
  const auto positions = static_cast<double>(outputs.size(2));
  if (structure_ != LaplaceStructure::kDiagonal) {
    output_products_.add_(productsOf(outputs), 1.0 / positions);
    return;
  }
  const at::Tensor extended = withOnes(atLeastFloat(inputs.cpu()), layer_.has_bias);
  if (outputs.size(2) == 1) {
    diagonal_.addmm_(outputs.squeeze(2).to(at::kDouble).square().t(),
                     extended.squeeze(2).to(at::kDouble).square());
  } else {
    // The gradient of an item's weights is a sum over positions, which comes before the square.
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
    layer_.diagonal = arrayOf<double>(diagonal_.div_(count));
    return std::move(layer_);
  }
  if (separate_bias_ && layer_.has_bias) {
    const std::int64_t last = layer_.inputs - 1;
    input_products_.select(0, last).slice(0, 0, last).zero_();
    input_products_.select(1, last).slice(0, 0, last).zero_();
  }
  layer_.input_products = arrayOf<double>(input_products_.div_(count));
  layer_.output_products = arrayOf<double>(output_products_.div_(count));
  return std::move(layer_);
}

}  // namespace dubito
