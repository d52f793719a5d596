// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/stochastic_depth_torch.h"

namespace dubito {

using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// What is known about a list of sizes.
struct Sizes {
  std::size_t others = 0;  ///< sizes that are not the constant 1
  bool starts_with_one = false;
  bool has_ones = false;
  bool is_known = false;
};

Sizes sizesOf(const Value* value);

Sizes sizesOfElements(const std::vector<bool>& is_one) {
  Sizes sizes;
  sizes.is_known = !is_one.empty();
  sizes.starts_with_one = sizes.is_known && is_one.front();
  sizes.others = static_cast<std::size_t>(std::ranges::count(is_one, false));
  sizes.has_ones = sizes.others < is_one.size();
  return sizes;
}

/// [a] + b, or [1] * count.
Sizes sizesOfOperator(const Node* node) {
  const std::string op = opName(node);
  if (op != "aten::add" && op != "aten::mul") {
    return {};
  }
  const Sizes first = sizesOf(node->input(0));
  if (op == "aten::mul") {
    return first.others == 0 ? first : Sizes();
  }
  const Sizes second = sizesOf(node->input(1));
  return {first.others + second.others, first.starts_with_one, first.has_ones || second.has_ones,
          first.is_known && second.is_known};
}

Sizes sizesOf(const Value* value) {
  std::vector<bool> is_one;
  if (const auto constant = torch::jit::toIValue(value)) {
    if (constant->isIntList()) {
      for (const std::int64_t size : constant->toIntVector()) {
        is_one.push_back(size == 1);
      }
    }
    return sizesOfElements(is_one);
  }
  const Node* const node = value->node();
  if (node->kind() != c10::prim::ListConstruct) {
    return sizesOfOperator(node);
  }
  for (const Value* element : node->inputs()) {
    const auto size = torch::jit::toIValue(element);
    is_one.push_back(size && size->isInt() && size->toInt() == 1);
  }
  return sizesOfElements(is_one);
}

/// One number per item, [N, 1, 1], or one for all of them, [1, 1, 1].
bool isPerItem(const Value* value) {
  const Sizes sizes = sizesOf(value);
  return sizes.is_known && sizes.has_ones &&
         (sizes.others == 0 || (sizes.others == 1 && !sizes.starts_with_one));
}

/// The sizes of a new tensor; nullptr for other nodes.
const Value* sizesOfNew(const Node* node) {
  const std::string op = opName(node);
  const auto input = op.starts_with("aten::") ? inputIndex(node, "size") : std::nullopt;
  const bool is_new = op == "aten::empty" || op == "aten::new_empty" || op == "aten::ones" ||
                      op == "aten::new_ones" || op == "aten::zeros" || op == "aten::new_zeros" ||
                      op == "aten::full" || op == "aten::new_full";
  return is_new && input ? node->input(*input) : nullptr;
}

std::optional<double> numberInTraining(const Module& module, const Value* value) {
  auto number = resolveInMode(true, module, value);
  if (number && number->isTensor() && number->toTensor().numel() == 1) {
    return number->toTensor().item().toDouble();
  }
  return number && (number->isDouble() || number->isInt())
             ? std::optional<double>(number->toScalar().toDouble())
             : std::nullopt;
}

/// Follows noise from the product back to where it is drawn.
class Noise {
 public:
  Noise(const Module& module, Node* product) : module_(module), product_(product) {}

  /// Follows a factor of the product back to a `bernoulli_`, or `bernoulli`; false if it is not
  /// such noise.
  bool follow(Value* factor) {
    Value* value = factor;
    while (opName(value->node()) == "aten::div_" || opName(value->node()) == "aten::div") {
      value = value->node()->input(0);
    }
    bernoulli_ = value->node();
    // Exported programs have the operator without the underscore.
    const bool draws_by_rate =
        (opName(bernoulli_) == "aten::bernoulli_" || opName(bernoulli_) == "aten::bernoulli") &&
        inputIndex(bernoulli_, "p").has_value();
    const Value* const sizes = draws_by_rate ? sizesOfNew(bernoulli_->input(0)->node()) : nullptr;
    if (sizes == nullptr || !isPerItem(sizes) ||
        bernoulli_->input(1)->type()->kind() == c10::TypeKind::TensorType) {
      return false;
    }
    writers_.push_back(bernoulli_);
    return isOnlyScaled(bernoulli_->input(0)) && isOnlyScaled(bernoulli_->output());
  }

  [[nodiscard]] StochasticDepth depth(Value* x) const {
    constexpr double kDigits = 1e12;  // so that 1 - 0.8 becomes 0.2
    StochasticDepth found{product_, x, std::nullopt, is_scaled_, writers_};
    std::ranges::reverse(found.writers);
    if (const auto keep = numberInTraining(module_, bernoulli_->input(1))) {
      found.drop_rate = std::round((1.0 - *keep) * kDigits) / kDigits;
    }
    return found;
  }

 private:
  /// Whether only a division by the keep rate and the product use the value.
  bool isOnlyScaled(Value* value) {
    return std::ranges::all_of(value->uses(), [&](const torch::jit::Use& use) {
      Node* const user = use.user;
      if (user == product_ || user == bernoulli_) {
        return true;
      }
      const std::string op = opName(user);
      const bool divides = use.offset == 0 && user->inputs().size() == 2 &&
                           (op == "aten::div_" || op == "aten::div");
      if (!divides || is_scaled_ || !user->isBefore(product_) || !isKeepRate(user->input(1))) {
        return false;
      }
      is_scaled_ = true;
      writers_.push_back(user);
      return isOnlyScaled(user->output());
    });
  }

  [[nodiscard]] bool isKeepRate(const Value* divisor) const {
    constexpr double kRounding = 1e-6;
    const auto keep = numberInTraining(module_, bernoulli_->input(1));
    const auto number = numberInTraining(module_, divisor);
    return divisor == bernoulli_->input(1) ||
           (keep && number && std::abs(*keep - *number) <= kRounding);
  }

  const Module& module_;
  Node* product_;
  Node* bernoulli_ = nullptr;
  bool is_scaled_ = false;
  std::vector<Node*> writers_;
};

}  // namespace

std::optional<StochasticDepth> stochasticDepth(const Module& module, Node* node) {
  if (opName(node) != "aten::mul" || node->inputs().size() != 2) {
    return std::nullopt;
  }
  for (const std::size_t position : {1U, 0U}) {
    Noise noise(module, node);
    Value* const x = node->input(1 - position);
    if (x->type()->kind() == c10::TypeKind::TensorType && noise.follow(node->input(position))) {
      return noise.depth(x);
    }
  }
  return std::nullopt;
}

void replaceStochasticDepth(const StochasticDepth& depth, Value* result) {
  depth.product->output()->replaceAllUsesWith(result);
  depth.product->destroy();
  for (Node* const writer : depth.writers) {
    if (!writer->hasUses()) {
      writer->destroy();
    }
  }
}

}  // namespace dubito
