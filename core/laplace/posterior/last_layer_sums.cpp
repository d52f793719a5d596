// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <utility>

#include "core/laplace/posterior/factors_torch.h"
#include "core/laplace/posterior/last_layer_sums_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {

at::Tensor withBias(const at::Tensor& features, bool has_bias) {
  const at::Tensor wide = features.to(at::kDouble);
  return has_bias ? at::cat({wide, wide.new_ones({wide.size(0), 1})}, 1) : wide;
}

LastLayerSums::LastLayerSums(LaplaceStructure structure, const at::Tensor& weight,
                             const at::Tensor& bias) {
  LayerFactors layer = emptyLayer("head", weight, bias);
  const std::int64_t outputs = layer.outputs;
  const std::int64_t inputs = layer.inputs;
  if (structure == LaplaceStructure::kFull) {
    full_ = at::zeros({outputs, inputs, outputs, inputs}, at::kDouble);
  } else if (structure == LaplaceStructure::kDiagonal) {
    diagonal_ = at::zeros({outputs, inputs}, at::kDouble);
  } else {
    input_products_ = at::zeros({inputs, inputs}, at::kDouble);
    output_products_ = at::zeros({outputs, outputs}, at::kDouble);
  }
  factors_.layers.push_back(std::move(layer));
}

void LastLayerSums::add(const at::Tensor& features, const at::Tensor& logits,
                        std::span<const std::int64_t> labels) {
  const at::NoGradGuard no_gradients;
  const at::Device device = full_.defined() ? at::Device(at::kCPU) : features.device();
  const at::Tensor inputs = withBias(features.to(device), factors_.layers[0].has_bias);
  const at::Tensor log_probs = at::log_softmax(logits.to(device, at::kDouble), 1);
  const at::Tensor probs = log_probs.exp();
  if (full_.defined()) {
    addFull(inputs, probs);
  } else if (diagonal_.defined()) {
    diagonal_ = diagonal_.to(device).addmm_((probs * (1.0 - probs)).t(), inputs.square());
  } else {
    input_products_ = input_products_.to(device).addmm_(inputs.t(), inputs);
    output_products_ = output_products_.to(device);
    output_products_.diagonal().add_(probs.sum(0));
    output_products_.addmm_(probs.t(), probs, /*beta=*/1, /*alpha=*/-1);
  }
  countItems(log_probs.cpu(), labels, factors_);
}

void LastLayerSums::addFull(const at::Tensor& inputs, const at::Tensor& probs) {
  const std::int64_t classes = probs.size(1);
  for (std::int64_t k = 0; k < classes; ++k) {
    for (std::int64_t l = 0; l <= k; ++l) {
      const at::Tensor p = probs.select(1, k);
      const at::Tensor weight = k == l ? p * (1.0 - p) : -p * probs.select(1, l);
      const at::Tensor block = at::mm(inputs.t(), inputs * weight.unsqueeze(1));
      full_.select(0, k).select(1, l).add_(block);
      if (k != l) {
        full_.select(0, l).select(1, k).add_(block);
      }
    }
  }
}

LaplaceFactors LastLayerSums::finish() && {
  const auto items = static_cast<double>(std::max<std::int64_t>(1, factors_.items));
  LayerFactors& layer = factors_.layers[0];
  if (full_.defined()) {
    const std::int64_t parameters = layer.parameters();
    factors_.full = arrayOf<double>(full_.div_(items).reshape({parameters, parameters}));
  } else if (diagonal_.defined()) {
    layer.diagonal = arrayOf<double>(diagonal_.div_(items).cpu());
  } else {
    layer.input_products = arrayOf<double>(input_products_.div_(items).cpu());
    layer.output_products = arrayOf<double>(output_products_.div_(items).cpu());
  }
  return std::move(factors_);
}

}  // namespace dubito
