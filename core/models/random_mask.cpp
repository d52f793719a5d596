// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <charconv>
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

std::optional<double> numberInMode(bool training, const Module& module, const Value* value) {
  auto number = resolveInMode(training, module, value);
  if (number && number->isTensor() && number->toTensor().numel() == 1) {
    return number->toTensor().item().toDouble();
  }
  return number && (number->isDouble() || number->isInt())
             ? std::optional<double>(number->toScalar().toDouble())
             : std::nullopt;
}

bool isDivision(const Node* node) {
  const std::string op = opName(node);
  return (op == "aten::div" || op == "aten::div_") && node->inputs().size() == 2;
}

bool isFloor(const Node* node) {
  const std::string op = opName(node);
  return op == "aten::floor" || op == "aten::floor_";
}

bool isCast(const Node* node) {
  const std::string op = opName(node);
  return op == "aten::to" || op == "aten::type_as" || op == "aten::_to_copy";
}

/// Whether a node is true where its first input is the smaller one (true) or the larger one
/// (false). Whether equal numbers count does not matter, as they have no probability.
std::optional<bool> isSmaller(const Node* node) {
  const std::string op = opName(node);
  if (op == "aten::lt" || op == "aten::le") {
    return true;
  }
  return op == "aten::gt" || op == "aten::ge" ? std::optional(false) : std::nullopt;
}

/// a + b, unscaled.
bool isSum(const Node* node) {
  const std::string op = opName(node);
  if (op != "aten::add" && op != "aten::add_") {
    return false;
  }
  const auto alpha = node->inputs().size() == 3 ? torch::jit::toIValue(node->input(2))
                                                : std::optional<c10::IValue>(1);
  return alpha && alpha->isScalar() && alpha->toScalar().toDouble() == 1.0;
}

/// The sizes of new numbers that are uniform in [0, 1); nullptr for other nodes.
const Value* sizesOfUniform(const Node* node) {
  const std::string op = opName(node);
  const auto generator = inputIndex(node, "generator");
  if (generator && node->input(*generator)->type()->kind() != c10::TypeKind::NoneType) {
    return nullptr;
  }
  if (op == "aten::rand") {
    const auto sizes = inputIndex(node, "size");
    return sizes ? node->input(*sizes) : nullptr;
  }
  if (op == "aten::rand_like") {
    return sizesOfNew(node->input(0)->node());
  }
  const auto isConstant = [node](std::size_t input, double number) {
    const auto constant = torch::jit::toIValue(node->input(input));
    return constant && constant->isScalar() && constant->toScalar().toDouble() == number;
  };
  return op == "aten::uniform_" && isConstant(1, 0.0) && isConstant(2, 1.0)
             ? sizesOfNew(node->input(0)->node())
             : nullptr;
}

/// The decimal number that a number of float32 stands for, so that 0.9 stays 0.9.
double decimalOf(double number) {
  const auto narrow = static_cast<float>(number);
  if (double{narrow} != number) {
    return number;
  }
  const std::string decimal = fmt::format("{}", narrow);
  double read = number;
  std::from_chars(decimal.data(), decimal.data() + decimal.size(), read);
  return read;
}

/// Follows noise from the product back to where it is drawn.
class Noise {
 public:
  Noise(const Module& module, Node* product) : module_(module), product_(product) {}

  /// Follows a factor of the product back to the mask; false if it is not such noise.
  bool follow(Value* factor) {
    Value* value = factor;
    while (isDivision(value->node())) {
      value = value->node()->input(0);
    }
    return (followBernoulli(value->node()) || followFloor(value) || followComparison(value)) &&
           std::ranges::all_of(drawn_, [this](Value* drawn) { return isOnlyScaled(drawn); });
  }

  [[nodiscard]] StochasticDepth depth(Value* x) const {
    constexpr double kDigits = 1e12;  // so that 1 - 0.8 becomes 0.2
    StochasticDepth found;
    found.product = product_;
    found.x = x;
    found.place = product_;
    found.is_scaled = is_scaled_;
    found.writers = drawing_;
    std::ranges::reverse(found.writers);
    const auto keep = keepRate(true);
    const auto keep_in_inference = keepRate(false);
    found.is_off_in_inference = keep_in_inference == 1.0;
    if (keep && (keep == keep_in_inference || found.is_off_in_inference)) {
      found.drop_rate = std::round((1.0 - decimalOf(*keep)) * kDigits) / kDigits;
    }
    return found;
  }

  /// Whether a value is the keep rate, or the number that it is in training.
  [[nodiscard]] bool isKeepRate(const Value* divisor) const {
    constexpr double kRounding = 1e-6;
    const auto keep = keepRate(true);
    const auto number = numberInMode(true, module_, divisor);
    return (divisor == rate_ && !is_drop_rate_) ||
           (keep && number && std::abs(*keep - *number) <= kRounding);
  }

 private:
  [[nodiscard]] std::optional<double> keepRate(bool training) const {
    const auto rate = numberInMode(training, module_, rate_);
    return rate && is_drop_rate_ ? std::optional(1.0 - *rate) : rate;
  }

  /// bernoulli(keep) of a new tensor. Exported programs have the operator without the underscore.
  bool followBernoulli(Node* node) {
    const bool draws_by_rate =
        (opName(node) == "aten::bernoulli_" || opName(node) == "aten::bernoulli") &&
        inputIndex(node, "p").has_value();
    const Value* const sizes = draws_by_rate ? sizesOfNew(node->input(0)->node()) : nullptr;
    if (sizes == nullptr || !isPerItem(sizes) ||
        node->input(1)->type()->kind() == c10::TypeKind::TensorType) {
      return false;
    }
    rate_ = node->input(1);
    drawn_ = {node->input(0), node->output()};
    drawing_ = {node};
    return true;
  }

  /// floor(keep + u) of uniform numbers u, which is 1 at the rate `keep` and 0 otherwise.
  bool followFloor(Value* value) {
    Node* const floor = isFloor(value->node()) ? value->node() : floorInPlace(value);
    Node* const sum = floor != nullptr ? floor->input(0)->node() : nullptr;
    if (sum == nullptr || !isSum(sum)) {
      return false;
    }
    for (const std::size_t position : {0U, 1U}) {
      Node* const uniform = sum->input(position)->node();
      const Value* const sizes = sizesOfUniform(uniform);
      if (sizes == nullptr || !isPerItem(sizes)) {
        continue;
      }
      rate_ = sum->input(1 - position);
      drawn_ = {uniform->output(), sum->output(), floor->output()};
      if (opName(uniform) == "aten::uniform_") {
        drawn_.push_back(uniform->input(0));
      }
      drawing_ = {uniform, sum, floor};
      return true;
    }
    return false;
  }

  /// u < keep, or u >= drop, of uniform numbers u, usually cast to a number: what exporters of ONNX
  /// write for bernoulli(keep).
  bool followComparison(Value* value) {
    Node* const comparison =
        isCast(value->node()) ? value->node()->input(0)->node() : value->node();
    const std::optional<bool> is_first_smaller = isSmaller(comparison);
    if (!is_first_smaller) {
      return false;
    }
    for (const std::size_t position : {0U, 1U}) {
      Node* const uniform = comparison->input(position)->node();
      const Value* const sizes = sizesOfUniform(uniform);
      if (sizes == nullptr || !isPerItem(sizes)) {
        continue;
      }
      rate_ = comparison->input(1 - position);
      is_drop_rate_ = *is_first_smaller == (position == 1);
      drawn_ = {uniform->output(), comparison->output(), value};
      if (opName(uniform) == "aten::uniform_") {
        drawn_.push_back(uniform->input(0));
      }
      drawing_ = {uniform, comparison};
      if (value->node() != comparison) {
        drawing_.push_back(value->node());
      }
      return true;
    }
    return false;
  }

  /// The floor_ that rounds a value before the product reads it, as a statement of its own.
  Node* floorInPlace(Value* value) const {
    const auto use = std::ranges::find_if(value->uses(), [this](const torch::jit::Use& candidate) {
      return opName(candidate.user) == "aten::floor_" &&
             candidate.user->owningBlock() == product_->owningBlock() &&
             candidate.user->isBefore(product_);
    });
    return use == value->uses().end() ? nullptr : use->user;
  }

  /// Whether only a division by the keep rate, the product and what draws use the value.
  bool isOnlyScaled(Value* value) {
    return std::ranges::all_of(value->uses(), [&](const torch::jit::Use& use) {
      Node* const user = use.user;
      if (user == product_ || std::ranges::find(drawing_, user) != drawing_.end()) {
        return true;
      }
      const bool divides = use.offset == 0 && isDivision(user);
      if (!divides || is_scaled_ || !user->isBefore(product_) || !isKeepRate(user->input(1))) {
        return false;
      }
      is_scaled_ = true;
      drawing_.push_back(user);
      return isOnlyScaled(user->output());
    });
  }

  const Module& module_;
  Node* product_;
  Value* rate_ = nullptr;
  bool is_drop_rate_ = false;  ///< `rate_` is of items that are dropped, not of those kept
  std::vector<Value*> drawn_;  ///< tensors that become the mask
  std::vector<Node*> drawing_;
  bool is_scaled_ = false;
};

/// The noise among the factors of a product. Kept items may also be divided by the keep rate before
/// it is applied, or by the node `division` after it.
std::optional<StochasticDepth> depthOf(const Module& module, Node* product, Node* division) {
  for (const std::size_t position : {1U, 0U}) {
    Noise noise(module, product);
    Value* const x = product->input(1 - position);
    if (x->type()->kind() != c10::TypeKind::TensorType || !noise.follow(product->input(position))) {
      continue;
    }
    StochasticDepth depth = noise.depth(x);
    if (depth.is_scaled) {
      return division == nullptr ? std::optional(depth) : std::nullopt;
    }
    if (division != nullptr) {
      if (!noise.isKeepRate(division->input(1))) {
        return std::nullopt;
      }
      depth.writers.insert(depth.writers.begin(), product);
      depth.product = division;
      depth.is_scaled = true;
    } else if (Node* const before = x->node(); opName(before) == "aten::div" &&
                                               isDivision(before) &&
                                               before->owningBlock() == product->owningBlock() &&
                                               noise.isKeepRate(before->input(1))) {
      depth.x = before->input(0);
      depth.place = before;  // what x is there, whatever is written into it later
      depth.is_scaled = true;
    }
    return depth;
  }
  return std::nullopt;
}

bool isProduct(const Node* node) {
  return opName(node) == "aten::mul" && node->inputs().size() == 2;
}

/// The division of a product, if nothing else reads it.
Node* divisionOf(const Node* product) {
  const torch::jit::use_list& uses = product->output()->uses();
  const bool is_divided = uses.size() == 1 && uses.front().offset == 0 &&
                          isDivision(uses.front().user) &&
                          uses.front().user->owningBlock() == product->owningBlock();
  return is_divided ? uses.front().user : nullptr;
}

}  // namespace

std::optional<StochasticDepth> stochasticDepth(const Module& module, Node* node) {
  if (isDivision(node) && isProduct(node->input(0)->node()) &&
      divisionOf(node->input(0)->node()) == node) {
    return depthOf(module, node->input(0)->node(), node);
  }
  if (!isProduct(node)) {
    return std::nullopt;
  }
  // Of a product that is scaled later, the division is the last node.
  Node* const division = divisionOf(node);
  return division != nullptr && depthOf(module, node, division) ? std::nullopt
                                                                : depthOf(module, node, nullptr);
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
