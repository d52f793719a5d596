// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions whose backward pass skips zeros, against torch's.
#include "core/kernels/torch/sparse_convolution_torch.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#ifdef DUBITO_HAS_HIGHWAY
#include <hwy/targets.h>
#endif

#include <vector>

namespace dubito {
namespace {

struct Case {
  std::vector<std::int64_t> input;   ///< [N, C, H, W] or [C, H, W]
  std::vector<std::int64_t> weight;  ///< [O, C, h, w]
  ConvolutionShape shape = {};
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{9, 20, 12, 12}, {50, 20, 5, 5}},
      {{3, 8, 7, 9}, {5, 8, 3, 3}, {.padding = {1, 1}}},
      {{2, 7, 11, 8}, {6, 7, 3, 5}, {.stride = {2, 3}, .padding = {0, 2}}},
      {{2, 16, 6, 5}, {4, 16, 1, 1}, {.stride = {2, 1}}},
      {{2, 10, 13, 9}, {3, 10, 4, 2}, {.stride = {1, 2}, .padding = {3, 0}, .dilation = {2, 1}}},
      {{2, 9, 10, 10}, {3, 9, 3, 3}, {.dilation = {1, 2}}},  // torch's own
      {{2, 1, 9, 9}, {4, 1, 3, 3}},                          // too short for vectors
      {{8, 7, 9}, {5, 8, 3, 3}, {.padding = {1, 1}}},        // unbatched
  };
  return all;
}

struct Gradients {
  at::Tensor output;
  at::Tensor expected;  ///< in double
  at::Tensor found;
  at::Tensor sizes;  ///< sum of the sizes of the terms of every element
};

Gradients gradientsOf(const Case& one, double share, at::ScalarType type) {
  at::manual_seed(4);
  const at::Tensor x = at::randn(one.input, type).requires_grad_(true);
  const at::Tensor weight = at::randn(one.weight, type);
  const at::Tensor bias = at::randn({one.weight[0]}, type);
  const ConvolutionShape& shape = one.shape;
  const auto wide = [&](const at::Tensor& of, const at::Tensor& weights, const at::Tensor& along) {
    const at::Tensor inputs = of.detach().to(at::kDouble).requires_grad_(true);
    const at::Tensor outputs = at::conv2d(inputs, weights.to(at::kDouble), {}, shape.stride,
                                          shape.padding, shape.dilation);
    return torch::autograd::grad({outputs}, {inputs}, {along.to(at::kDouble)})[0];
  };
  Gradients result;
  result.output = sparseConvolution(x, weight, bias, shape);
  EXPECT_TRUE(at::equal(result.output.detach(), at::conv2d(x.detach(), weight, bias, shape.stride,
                                                           shape.padding, shape.dilation)));
  const at::Tensor kept = at::rand(result.output.sizes()).lt(share).to(type);
  const at::Tensor along = at::randn(result.output.sizes(), type) * kept;
  result.found = torch::autograd::grad({result.output}, {x}, {along})[0];
  result.expected = wide(x, weight, along);
  result.sizes = wide(x, weight.abs(), along.abs());
  return result;
}

TEST(SparseConvolution, HasTorchsOutputsAndGradients) {
  for (std::size_t i = 0; i < cases().size(); ++i) {
    for (const double share : {0.0, 0.02, 0.15, 0.6, 1.0}) {
      SCOPED_TRACE(testing::Message() << "case " << i << ", share " << share);
      const Gradients of = gradientsOf(cases()[i], share, at::kFloat);
      // Up to 450 products, each rounded to 6e-8.
      EXPECT_TRUE(((of.found - of.expected).abs() <= 1e-6 * of.sizes).all().item<bool>());
      const Gradients precise = gradientsOf(cases()[i], share, at::kDouble);
      EXPECT_TRUE(
          ((precise.found - precise.expected).abs() <= 1e-14 * precise.sizes).all().item<bool>());
    }
  }
}

TEST(SparseConvolution, DoesNotDependOnThreads) {
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const at::Tensor one = gradientsOf(cases()[0], 0.1, at::kFloat).found;
  at::set_num_threads(3);
  EXPECT_TRUE(at::equal(gradientsOf(cases()[0], 0.1, at::kFloat).found, one));
  at::set_num_threads(before);
}

#ifdef DUBITO_HAS_HIGHWAY
TEST(SparseConvolution, IsTheSameOnAllInstructionSetsButForRounding) {
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    const Gradients of = gradientsOf(cases()[2], 0.1, at::kFloat);
    EXPECT_TRUE(((of.found - of.expected).abs() <= 1e-6 * of.sizes).all().item<bool>());
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
}
#endif

// Only the input has a gradient; without one, torch's convolution runs.
TEST(SparseConvolution, IsPlainWithoutGradients) {
  const at::Tensor x = at::rand({2, 4, 6, 6});
  const at::Tensor weight = at::rand({3, 4, 3, 3}).requires_grad_(true);
  EXPECT_FALSE(sparseConvolution(x, weight.detach(), {}, {}).requires_grad());
  const at::Tensor leaf = x.clone().requires_grad_(true);
  const at::Tensor output = sparseConvolution(leaf, weight, {}, {});
  const auto found = torch::autograd::grad({output.sum()}, {leaf, weight}, {}, std::nullopt, false,
                                           /*allow_unused=*/true);
  EXPECT_TRUE(found[0].defined());
  EXPECT_FALSE(found[1].defined());
}

}  // namespace
}  // namespace dubito
