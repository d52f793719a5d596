// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/laplace/posterior/weight_draws_torch.h"

#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <span>

#include "core/kernels/logit_noise.h"
#include "core/kernels/philox.h"
#include "core/laplace/posterior/posterior_torch.h"
#include "core/laplace/posterior/tensors_torch.h"

namespace dubito {

at::Tensor drawWeightDeviation(const LaplacePosterior& posterior, std::size_t layer,
                               const LaplaceScale& scale, std::int64_t draw, std::uint64_t seed) {
  const at::NoGradGuard no_gradients;
  const LayerPosterior& of = posterior.layers.at(layer);
  at::Tensor noise = at::empty({of.outputs, of.inputs}, at::kDouble);
  logitNoise(siteKey(seed, kWeightNoiseSite, static_cast<std::int64_t>(layer)), draw, 0,
             {noise.mutable_data_ptr<double>(), static_cast<std::size_t>(noise.numel())});
  const at::Tensor root = precisionTable(of, posterior.structure, scale).rsqrt();
  if (posterior.structure == LaplaceStructure::kDiagonal) {
    return noise.mul_(root);
  }
  const at::Tensor outputs = tensorView(of.output_basis);
  const at::Tensor inputs = tensorView(of.input_basis);
  const at::Tensor in_basis = at::mm(at::mm(outputs.t(), noise), inputs) * root;
  return at::mm(at::mm(outputs, in_basis), inputs.t());
}

}  // namespace dubito
