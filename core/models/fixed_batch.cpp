// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <set>

#include "core/models/fixed_batch_torch.h"
#include "core/models/graph_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kLargestBatch = 256;
constexpr std::size_t kMaxSizes = 16;

bool takesSizes(const std::string& argument) {
  return argument == "size" || argument == "shape" || argument == "sizes" || argument == "repeats";
}

/// The constants of a list of sizes, 0 where one is computed.
std::vector<std::int64_t> sizesIn(const torch::jit::Value* list) {
  std::vector<std::int64_t> sizes;
  for (const std::optional<std::int64_t>& size : integersOf(list)) {
    sizes.push_back(size.value_or(0));
  }
  return sizes;
}

/// A constant of two or more axes whose elements are all the same, as of torch.zeros(sizes), which
/// was computed when the program was prepared; undefined for other nodes.
at::Tensor uniformConstant(const torch::jit::Node* node) {
  constexpr std::int64_t kMaxElements = std::int64_t{1} << 20;
  if (node->kind() != c10::prim::Constant || node->outputs().size() != 1) {
    return {};
  }
  const auto constant = torch::jit::toIValue(node->output());
  if (!constant || !constant->isTensor()) {
    return {};
  }
  const at::Tensor& values = constant->toTensor();
  const bool may_be = values.defined() && values.dim() >= 2 && values.numel() > 0 &&
                      values.numel() <= kMaxElements && values.layout() == at::kStrided &&
                      !values.is_quantized();
  return may_be && at::equal(values, values.flatten()[0].expand_as(values)) ? values : at::Tensor();
}

void append(const std::set<std::int64_t>& sizes, std::vector<std::int64_t>& all) {
  for (const std::int64_t size : sizes) {
    if (size > 0 && size <= kLargestBatch && all.size() < kMaxSizes &&
        std::ranges::find(all, size) == all.end()) {
      all.push_back(size);
    }
  }
}

}  // namespace

std::vector<std::int64_t> possibleBatchSizes(torch::jit::Graph& graph) {
  std::set<std::int64_t> leading;
  std::set<std::int64_t> others;
  forEachNode(graph.block(), [&](torch::jit::Node* node) {
    if (const at::Tensor constant = uniformConstant(node); constant.defined()) {
      const at::IntArrayRef sizes = constant.sizes();
      leading.insert(sizes.front());
      others.insert(sizes.begin(), sizes.end());
      return;
    }
    const c10::FunctionSchema* const schema = node->maybeSchema();
    for (std::size_t i = 0; schema != nullptr && i < schema->arguments().size(); ++i) {
      if (i >= node->inputs().size() || !takesSizes(schema->arguments()[i].name())) {
        continue;
      }
      const std::vector<std::int64_t> sizes = sizesIn(node->input(i));
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        (axis == 0 ? leading : others).insert(sizes[axis]);
      }
    }
  });
  std::vector<std::int64_t> all;
  append(leading, all);
  std::set<std::int64_t> divisors;
  for (const std::int64_t size : leading) {
    for (std::int64_t divisor = 2; divisor <= std::min(size / 2, kLargestBatch); ++divisor) {
      if (size % divisor == 0) {
        divisors.insert(divisor);
      }
    }
  }
  append(divisors, all);
  append(others, all);
  return all;
}

}  // namespace dubito
