// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "core/laplace/posterior/layer_covariance_torch.h"
#include "core/laplace/posterior/layer_sums_torch.h"
#include "core/laplace/posterior/posterior_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {
namespace {

// For the Jacobian of one item; a part of this size keeps all cores busy.
constexpr std::int64_t kMaxJacobianBytes = std::int64_t{256} << 20;

/// Number of outputs whose part of the Jacobian is computed together.
std::int64_t outputsPerPart(std::int64_t classes, std::int64_t outputs, std::int64_t inputs) {
  const std::int64_t of_output = classes * inputs * static_cast<std::int64_t>(sizeof(float));
  return std::clamp<std::int64_t>(kMaxJacobianBytes / of_output, 1, outputs);
}

}  // namespace

std::int64_t LayerCovariance::jacobianBytes(std::int64_t classes, std::int64_t outputs,
                                            std::int64_t inputs, std::int64_t positions) {
  return positions == 1 ? 0
                        : outputsPerPart(classes, outputs, inputs) * classes * inputs *
                              static_cast<std::int64_t>(sizeof(float));
}

LayerCovariance::LayerCovariance(const LayerPosterior& layer, LaplaceStructure structure,
                                 at::ScalarType type)
    : layer_(layer), structure_(structure), type_(type) {
  if (structure != LaplaceStructure::kDiagonal) {
    input_basis_ = tensorView(layer.input_basis).to(type);
    output_basis_ = tensorView(layer.output_basis).to(type);
  }
  setScale({});
}

void LayerCovariance::setScale(const LaplaceScale& scale) {
  inverse_ = precisionTable(layer_, structure_, scale).reciprocal();
  inverse_root_ = inverse_.sqrt().flatten().to(type_);
  inverse_ = inverse_.to(type_);
}

at::Tensor LayerCovariance::of(const at::Tensor& inputs, const at::Tensor& gradients) const {
  const at::NoGradGuard no_gradients;
  at::Tensor extended = withOnes(inputs.cpu().to(type_), layer_.has_bias);  // [B, D, L]
  at::Tensor sides = gradients.cpu().to(type_);                             // [B, K, O, L]
  const bool one_position = inputs.size(2) == 1;
  if (input_basis_.defined()) {
    extended = at::matmul(input_basis_.t(), extended);
    sides = at::matmul(output_basis_.t(), sides);
  }
  if (one_position) {
    // The Jacobian is an outer product and need not be formed.
    const at::Tensor weights = at::mm(extended.squeeze(2).square(), inverse_.t());  // [B, O]
    const at::Tensor side = sides.squeeze(3);                                       // [B, K, O]
    return at::bmm(side * weights.unsqueeze(1), side.transpose(1, 2));
  }
  const std::int64_t items = sides.size(0);
  const std::int64_t classes = sides.size(1);
  const std::int64_t positions = sides.size(3);
  const std::int64_t outputs = sides.size(2);
  const std::int64_t width = extended.size(1);
  const std::int64_t together = outputsPerPart(classes, outputs, width);
  at::Tensor covariance;
  for (std::int64_t begin = 0; begin < outputs; begin += together) {
    const std::int64_t end = std::min(outputs, begin + together);
    const at::Tensor part = at::bmm(sides.slice(2, begin, end).reshape({items, -1, positions}),
                                    extended.transpose(1, 2))
                                .view({items, classes, -1})  // [B, K, O D]
                                .mul_(inverse_root_.slice(0, begin * width, end * width));
    const at::Tensor product = at::bmm(part, part.transpose(1, 2));
    covariance = covariance.defined() ? covariance.add_(product) : product;
  }
  return covariance;
}

}  // namespace dubito
