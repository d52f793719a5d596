// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/torch/sparse_convolution_torch.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>
#include <vector>

#include "core/kernels/cpu/convolution_gradient_cpu.h"

namespace dubito {
namespace {

// With more non-zeros, torch's dense products are faster.
constexpr double kMaxNonZeros = 0.3;
// Shorter runs of weights do not fill the vectors.
constexpr std::int64_t kMinRun = 16;
constexpr std::int64_t kItemsPerTask = 8;

bool isMostlyZero(const at::Tensor& values) {
  const float* const data = values.const_data_ptr<float>();
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    count += data[i] != 0.0F ? 1 : 0;
  }
  return static_cast<double>(count) <= kMaxNonZeros * static_cast<double>(values.numel());
}

/// The gradient with respect to the input, without the zeros of `gradient`.
at::Tensor gradientOfSparse(const at::Tensor& gradient, const at::Tensor& x,
                            const at::Tensor& weight, const ConvolutionShape& shape) {
  ConvolutionGradientTask task;
  task.outputs = weight.size(0);
  task.channels = weight.size(1);
  task.input_size = {x.size(2), x.size(3)};
  task.output_size = {gradient.size(2), gradient.size(3)};
  task.kernel = {weight.size(2), weight.size(3)};
  task.stride = shape.stride;
  task.padding = shape.padding;
  task.row_dilation = shape.dilation[0];
  const at::Tensor rows = weight.permute({0, 2, 3, 1}).flatten(2);
  const at::Tensor weights = at::constant_pad_nd(rows, {0, task.run() - rows.size(2)}).contiguous();
  const at::Tensor result = at::empty_like(x, at::MemoryFormat::Contiguous);
  task.gradients = gradient.const_data_ptr<float>();
  task.weights = weights.const_data_ptr<float>();
  task.result = result.mutable_data_ptr<float>();
  at::parallel_for(0, x.size(0), kItemsPerTask, [&task](std::int64_t begin, std::int64_t end) {
    convolutionGradientCpu(task, begin, end);
  });
  return result;
}

class SparseConvolution : public torch::autograd::Function<SparseConvolution> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                            const ConvolutionShape& shape) {
    context->save_for_backward({x, weight});
    context->saved_data["stride"] = at::IntArrayRef(shape.stride);
    context->saved_data["padding"] = at::IntArrayRef(shape.padding);
    context->saved_data["dilation"] = at::IntArrayRef(shape.dilation);
    return at::conv2d(x, weight, bias, shape.stride, shape.padding, shape.dilation);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const at::Tensor& x = saved.at(0);
    const at::Tensor& weight = saved.at(1);
    const auto pair = [&](const char* name) {
      const std::vector<std::int64_t> values = context->saved_data[name].toIntVector();
      return std::array<std::int64_t, 2>{values.at(0), values.at(1)};
    };
    const ConvolutionShape shape{pair("stride"), pair("padding"), pair("dilation")};
    const at::Tensor gradient = gradients.at(0).contiguous();
    const auto isFloat = [](const at::Tensor& values) {
      return values.is_cpu() && values.scalar_type() == at::kFloat;
    };
    if (isFloat(x) && isFloat(weight) && isFloat(gradient) && shape.dilation[1] == 1 &&
        weight.size(1) * weight.size(3) >= kMinRun && isMostlyZero(gradient)) {
      return {gradientOfSparse(gradient, x, weight, shape), {}, {}, {}};
    }
    const at::Tensor dense = std::get<0>(at::convolution_backward(
        gradient, x, weight, at::OptionalIntArrayRef(), shape.stride, shape.padding, shape.dilation,
        /*transposed=*/false, {0, 0}, /*groups=*/1, {true, false, false}));
    return {dense, {}, {}, {}};
  }
};

at::Tensor sparseConvolutionOperator(const at::Tensor& x, const at::Tensor& weight,
                                     const std::optional<at::Tensor>& bias, at::IntArrayRef stride,
                                     at::IntArrayRef padding, at::IntArrayRef dilation) {
  const auto pair = [](at::IntArrayRef values) {
    TORCH_CHECK(values.size() == 2, "sparse convolution: expected two numbers, not ", values);
    return std::array<std::int64_t, 2>{values[0], values[1]};
  };
  return sparseConvolution(x, weight, bias, {pair(stride), pair(padding), pair(dilation)});
}

}  // namespace

at::Tensor sparseConvolution(const at::Tensor& x, const at::Tensor& weight,
                             const std::optional<at::Tensor>& bias, const ConvolutionShape& shape) {
  // Unbatched inputs [C, H, W] have no backward operator of their own.
  if (!at::GradMode::is_enabled() || !x.requires_grad() || x.dim() != 4) {
    return at::conv2d(x, weight, bias, shape.stride, shape.padding, shape.dilation);
  }
  const auto constant = [](const at::Tensor& values) { return values.detach(); };
  return SparseConvolution::apply(
      x, constant(weight), bias && bias->defined() ? std::optional(constant(*bias)) : std::nullopt,
      shape);
}

void defineSparseConvolution(torch::Library& library) {
  library.def(
      "sparse_conv2d(Tensor x, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
      "dilation) -> Tensor");
  library.impl("sparse_conv2d", torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd,
                                                &sparseConvolutionOperator));
}

}  // namespace dubito
