// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/laplace/posterior/last_layer_gaussians_torch.h"
#include "core/laplace/posterior/last_layer_sums_torch.h"
#include "core/laplace/posterior/posterior_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {

LastLayerGaussians::LastLayerGaussians(const LaplacePosterior& posterior, const LaplaceScale& scale)
    : posterior_(posterior) {
  if (posterior.layers.size() != 1) {
    throw std::invalid_argument("LastLayerGaussians: the posterior must have exactly one layer");
  }
  if (posterior.structure == LaplaceStructure::kKron ||
      posterior.structure == LaplaceStructure::kKronDamped) {
    input_basis_.emplace(tensorView(posterior.layers[0].input_basis));
  }
  setScale(scale);
}

void LastLayerGaussians::setScale(const LaplaceScale& scale) {
  const LayerPosterior& layer = posterior_.layers[0];
  const double root_n = std::sqrt(scale.n);
  const double root_tau = std::sqrt(scale.tau);
  switch (posterior_.structure) {
    case LaplaceStructure::kFull:
      inverse_ =
          DeviceConstant((tensorView(posterior_.full_values) * scale.n + scale.tau).reciprocal());
      break;
    case LaplaceStructure::kKronDamped: {
      // The precision is a product, so that a single number per item scales the shared factor.
      inverse_ = DeviceConstant((tensorView(layer.input_values) * root_n + root_tau).reciprocal());
      const at::Tensor stretch =
          (tensorView(layer.output_values) * root_n + root_tau).reciprocal().sqrt();
      factor_ = tensorView(layer.output_basis) * stretch;
      break;
    }
    case LaplaceStructure::kKron:
      factor_ = tensorView(layer.output_basis);
      [[fallthrough]];
    case LaplaceStructure::kDiagonal:
      inverse_ = DeviceConstant(precisionTable(layer, posterior_.structure, scale).reciprocal());
      break;
  }
  if (factor_.defined()) {
    factor_as_float_ = arrayOf<float>(factor_);
  }
}

std::int64_t LastLayerGaussians::rowsPerCall() const {
  constexpr std::int64_t kMaxBytes = std::int64_t{64} << 20;
  const LayerPosterior& layer = posterior_.layers[0];
  const std::int64_t elements = posterior_.structure == LaplaceStructure::kFull
                                    ? layer.outputs * (layer.parameters() + layer.outputs)
                                    : 3 * layer.inputs + 3 * layer.outputs;
  return std::max<std::int64_t>(1,
                                kMaxBytes / (elements * static_cast<std::int64_t>(sizeof(double))));
}

at::Tensor LastLayerGaussians::inBasis(const at::Tensor& features) const {
  const bool is_full = posterior_.structure == LaplaceStructure::kFull;
  const at::Tensor inputs =
      withBias(is_full ? features.cpu() : features, posterior_.layers[0].has_bias);
  return input_basis_ ? at::mm(inputs, input_basis_->on(inputs.device())) : inputs;
}

at::Tensor LastLayerGaussians::spread(const at::Tensor& in_basis) const {
  switch (posterior_.structure) {
    case LaplaceStructure::kFull:
      return fullCovariance(in_basis);
    case LaplaceStructure::kKronDamped:
      return at::mv(in_basis.square(), inverse_.on(in_basis.device())).unsqueeze(1);
    default:
      return at::mm(in_basis.square(), inverse_.on(in_basis.device()).t());
  }
}

LogitGaussians LastLayerGaussians::of(const at::Tensor& in_basis, const at::Tensor& logits) const {
  LogitGaussians gaussians{arrayOf<float>(logits.cpu()), {}};
  Array<float> item_spread = arrayOf<float>(spread(in_basis).cpu());
  if (posterior_.structure == LaplaceStructure::kFull) {
    gaussians.covariance = FullCovariance{std::move(item_spread)};
  } else if (posterior_.structure == LaplaceStructure::kDiagonal) {
    gaussians.covariance = DiagonalCovariance{std::move(item_spread)};
  } else {
    gaussians.covariance = FactoredCovariance{factor_as_float_, std::move(item_spread)};
  }
  return gaussians;
}

at::Tensor LastLayerGaussians::fullCovariance(const at::Tensor& inputs) const {
  const LayerPosterior& layer = posterior_.layers[0];
  const std::int64_t items = inputs.size(0);
  const at::Tensor basis =
      tensorView(posterior_.full_basis).view({layer.outputs, layer.inputs, -1});
  // J V for all items at once, [B, K, P], with J = I (x) phi~.
  const at::Tensor projected =
      at::matmul(inputs.unsqueeze(0), basis).permute({1, 0, 2}).contiguous();
  const at::Tensor covariance =
      at::bmm(projected * inverse_.on(projected.device()), projected.transpose(1, 2));
  return covariance.view({items, layer.outputs, layer.outputs});
}

}  // namespace dubito
