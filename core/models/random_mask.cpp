// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>

#include "core/models/graph_torch.h"
#include "core/models/prepare_torch.h"
#include "core/models/random_mask_torch.h"

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
  const Node* const node = value->node();
  if (node->kind() != c10::prim::ListConstruct && !torch::jit::toIValue(value)) {
    return sizesOfOperator(node);
  }
  std::vector<bool> is_one;
  for (const std::optional<std::int64_t>& size : integersOf(value)) {
    is_one.push_back(size == 1);
  }
  return sizesOfElements(is_one);
}

/// One number for the whole batch, [1, 1, 1]. `value` is a list of sizes, or a tensor of these
/// sizes, which ONNX files store.
bool isShared(const Module& module, const Value* value) {
  if (isTensor(value)) {
    const auto stored = resolveValue(module, value);
    return stored && stored->isTensor() && stored->toTensor().dim() > 0 &&
           stored->toTensor().numel() == 1;
  }
  const Sizes sizes = sizesOf(value);
  return sizes.is_known && sizes.has_ones && sizes.others == 0;
}

/// One number per item, [N, 1, 1].
bool isPerItem(const Value* value) {
  const Sizes sizes = isTensor(value) ? Sizes() : sizesOf(value);
  return sizes.is_known && sizes.has_ones && sizes.others == 1 && !sizes.starts_with_one;
}

bool isNew(const Node* node) {
  static const std::set<std::string> kNew = {"aten::empty",    "aten::zeros",     "aten::ones",
                                             "aten::full",     "aten::new_empty", "aten::new_zeros",
                                             "aten::new_ones", "aten::new_full"};
  return kNew.contains(opName(node));
}

bool isNewLike(const Node* node) {
  static const std::set<std::string> kLike = {"aten::empty_like", "aten::zeros_like",
                                              "aten::ones_like", "aten::full_like"};
  return kLike.contains(opName(node));
}

/// The sizes of a new tensor, or a tensor of the same sizes; nullptr for other nodes.
const Value* sizesOfNew(const Node* node) {
  if (isNewLike(node)) {
    return node->input(0);
  }
  const auto input =
      isNew(node) || opName(node) == "aten::expand" ? inputIndex(node, "size") : std::nullopt;
  return input ? node->input(*input) : nullptr;
}

/// Whether the network's input takes part in computing a value.
bool dependsOnInput(const Value* value) {
  std::set<const Value*> seen;
  std::vector<const Value*> open = {value};
  const auto add = [&](const Value* origin) {
    if (seen.insert(origin).second) {
      open.push_back(origin);
    }
  };
  const Value* const input = value->owningGraph()->inputs()[1];
  while (!open.empty()) {
    const Value* const current = open.back();
    open.pop_back();
    if (current == input) {
      return true;
    }
    const Node* node = current->node();
    if (node->kind() == c10::prim::Param) {
      node = node->owningBlock()->owningNode();  // a loop, which hands it in
    }
    if (node == nullptr) {
      continue;
    }
    std::ranges::for_each(node->inputs(), add);
    for (const torch::jit::Block* block : node->blocks()) {
      std::ranges::for_each(block->outputs(), add);
    }
  }
  return false;
}

/// Whether sizes are those of something that the network computes from a batch, which may begin
/// with the number of items. A mask of weights is the same for all items.
bool areOfBatch(const Value* sizes) {
  if (sizes->node()->kind() == c10::prim::ListConstruct &&
      (sizes->node()->inputs().empty() || torch::jit::toIValue(sizes->node()->input(0)))) {
    return false;
  }
  return dependsOnInput(sizes);
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

bool hasGenerator(const Node* node) {
  const auto generator = inputIndex(node, "generator");
  return generator && node->input(*generator)->type()->kind() != c10::TypeKind::NoneType;
}

/// The sizes of new numbers that are uniform in [0, 1), or a tensor of the same sizes; nullptr for
/// other nodes.
const Value* sizesOfUniform(const Node* node) {
  const std::string op = opName(node);
  if (hasGenerator(node)) {
    return nullptr;
  }
  if (op == "aten::rand") {
    const auto sizes = inputIndex(node, "size");
    return sizes ? node->input(*sizes) : nullptr;
  }
  if (op == "aten::rand_like") {
    const Value* const sizes = sizesOfNew(node->input(0)->node());
    return sizes != nullptr ? sizes : node->input(0);
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

/// How a node applies a mask to a tensor.
struct Applied {
  Value* x = nullptr;
  Value* mask = nullptr;
  bool keeps = true;  ///< the mask is 1 where x is kept, otherwise where it is dropped
};

bool isZero(const Module& module, const Value* value) {
  if (const auto constant = resolveValue(module, value)) {
    if (constant->isTensor()) {
      return constant->toTensor().numel() == 1 && constant->toTensor().item().toDouble() == 0.0;
    }
    return constant->isScalar() && constant->toScalar().toDouble() == 0.0;
  }
  const Node* const node = value->node();
  const std::string op = opName(node);
  const auto fill = inputIndex(node, "fill_value");
  return op == "aten::zeros" || op == "aten::zeros_like" || op == "aten::new_zeros" ||
         (op == "aten::expand" && isZero(module, node->input(0))) ||
         ((isNew(node) || isNewLike(node)) && fill && isZero(module, node->input(*fill)));
}

/// The ways to read a node as one that applies a mask.
std::vector<Applied> appliedBy(const Module& module, const Node* node) {
  const std::string op = opName(node);
  std::vector<Applied> found;
  const auto add = [&found](Value* x, Value* mask, bool keeps) {
    if (isTensor(x) && isTensor(mask)) {
      found.push_back({x, mask, keeps});
    }
  };
  if (op == "aten::mul" && node->inputs().size() == 2) {
    add(node->input(0), node->input(1), true);
    add(node->input(1), node->input(0), true);
  } else if (op == "aten::where" && node->inputs().size() == 3) {
    if (isZero(module, node->input(2))) {
      add(node->input(1), node->input(0), true);
    } else if (isZero(module, node->input(1))) {
      add(node->input(2), node->input(0), false);
    }
  } else if (op == "aten::masked_fill" && isZero(module, node->input(2))) {
    add(node->input(0), node->input(1), false);
  }
  return found;
}

/// Follows a mask from the product back to where it is drawn.
class Noise {
 public:
  Noise(const Module& module, Node* product) : module_(module), product_(product) {}

  /// Whether this is such a mask.
  bool follow(const Applied& applied) {
    Value* value = applied.mask;
    while (isDivision(value->node())) {
      value = value->node()->input(0);
    }
    drawn_.push_back(value);
    while (isCast(value->node())) {
      drawing_.push_back(value->node());
      value = value->node()->input(0);
      drawn_.push_back(value);
    }
    is_drop_rate_ = !applied.keeps;
    return (followBernoulli(value->node()) || followFloor(value) ||
            followComparison(value->node())) &&
           // A shared number that multiplies a constant is a choice of the program, not a mask.
           ((is_per_item_ && !is_shared_) || dependsOnInput(applied.x)) &&
           std::ranges::all_of(drawn_, [this](Value* drawn) { return isOnlyScaled(drawn); });
  }

  [[nodiscard]] RandomMask mask(Value* x) const {
    constexpr double kDigits = 1e12;  // so that 1 - 0.8 becomes 0.2
    RandomMask found;
    found.product = product_;
    found.x = x;
    found.place = product_;
    found.is_scaled = is_scaled_;
    found.is_per_item = is_per_item_;
    found.drawing = uniform_;
    found.writers = drawing_;
    std::ranges::sort(found.writers, [](Node* a, Node* b) { return a->isAfter(b); });
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

  /// Whether a node that draws numbers of these sizes can draw a mask.
  bool draws(Node* node, const Value* sizes) {
    is_shared_ = sizes != nullptr && isShared(module_, sizes);
    is_per_item_ = is_shared_ || (sizes != nullptr && isPerItem(sizes));
    if (sizes == nullptr || (!is_per_item_ && !areOfBatch(sizes))) {
      return false;
    }
    uniform_ = node;
    return true;
  }

  /// bernoulli(keep) of a new tensor, or of a tensor that is `keep` everywhere. Exported programs
  /// have the operator without the underscore.
  bool followBernoulli(Node* node) {
    const std::string op = opName(node);
    if ((op != "aten::bernoulli_" && op != "aten::bernoulli") || hasGenerator(node)) {
      return false;
    }
    Node* const filled = node->input(0)->node();
    const auto fill = opName(filled) == "aten::expand" ? std::optional<std::size_t>(0)
                                                       : inputIndex(filled, "fill_value");
    const bool is_by_number = inputIndex(node, "p").has_value();
    if (is_by_number ? isTensor(node->input(1)) : op == "aten::bernoulli_" || !fill) {
      return false;
    }
    rate_ = is_by_number ? node->input(1) : filled->input(*fill);
    if ((!is_by_number && !numberInMode(true, module_, rate_)) ||
        !draws(node, sizesOfNew(filled))) {
      return false;
    }
    if (is_by_number) {
      drawn_.push_back(node->input(0));
    }
    drawn_.push_back(node->output());
    drawing_.push_back(node);
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
      if (draws(uniform, sizesOfUniform(uniform))) {
        rate_ = sum->input(1 - position);
        addUniform(uniform, sum);
        drawn_.push_back(floor->output());
        drawing_.push_back(floor);
        return true;
      }
    }
    return false;
  }

  /// u < keep, or u >= drop, of uniform numbers u.
  bool followComparison(Node* comparison) {
    const std::optional<bool> is_first_smaller = isSmaller(comparison);
    if (!is_first_smaller) {
      return false;
    }
    for (const std::size_t position : {0U, 1U}) {
      Node* const uniform = comparison->input(position)->node();
      if (draws(uniform, sizesOfUniform(uniform))) {
        rate_ = comparison->input(1 - position);
        is_drop_rate_ = is_drop_rate_ != (*is_first_smaller == (position == 1));
        addUniform(uniform, comparison);
        return true;
      }
    }
    return false;
  }

  void addUniform(Node* uniform, Node* reader) {
    drawn_.push_back(uniform->output());
    drawn_.push_back(reader->output());
    if (opName(uniform) == "aten::uniform_") {
      drawn_.push_back(uniform->input(0));
    }
    drawing_.push_back(uniform);
    drawing_.push_back(reader);
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
  Node* uniform_ = nullptr;
  bool is_per_item_ = false;
  bool is_shared_ = false;  ///< by all items; then also `is_per_item_`
  Value* rate_ = nullptr;
  bool is_drop_rate_ = false;  ///< `rate_` is of items that are dropped, not of those kept
  std::vector<Value*> drawn_;  ///< tensors that become the mask
  std::vector<Node*> drawing_;
  bool is_scaled_ = false;
};

/// The mask that a product applies. What is kept may also be divided by the keep rate before it is
/// applied, or by the node `division` after it.
std::optional<RandomMask> maskOf(const Module& module, Node* product, Node* division) {
  for (const Applied& applied : appliedBy(module, product)) {
    Noise noise(module, product);
    if (!noise.follow(applied)) {
      continue;
    }
    RandomMask mask = noise.mask(applied.x);
    if (mask.is_scaled) {
      return division == nullptr ? std::optional(mask) : std::nullopt;
    }
    if (division != nullptr) {
      if (!noise.isKeepRate(division->input(1))) {
        return std::nullopt;
      }
      mask.writers.insert(mask.writers.begin(), product);
      mask.product = division;
      mask.is_scaled = true;
    } else if (Node* const before = applied.x->node();
               opName(before) == "aten::div" && isDivision(before) &&
               before->owningBlock() == product->owningBlock() &&
               noise.isKeepRate(before->input(1))) {
      mask.x = before->input(0);
      mask.place = before;  // what x is there, whatever is written into it later
      mask.is_scaled = true;
    }
    return mask;
  }
  return std::nullopt;
}

/// The division of a product, if nothing else reads it.
Node* divisionOf(const Node* product) {
  const torch::jit::use_list& uses = product->output()->uses();
  const bool is_divided = uses.size() == 1 && uses.front().offset == 0 &&
                          isDivision(uses.front().user) &&
                          uses.front().user->owningBlock() == product->owningBlock();
  return is_divided ? uses.front().user : nullptr;
}

bool canApplyMask(const Module& module, const Node* node) {
  return !appliedBy(module, node).empty();
}

}  // namespace

std::optional<RandomMask> randomMask(const Module& module, Node* node) {
  if (isDivision(node) && canApplyMask(module, node->input(0)->node()) &&
      divisionOf(node->input(0)->node()) == node) {
    return maskOf(module, node->input(0)->node(), node);
  }
  if (!canApplyMask(module, node)) {
    return std::nullopt;
  }
  // Of a product that is scaled later, the division is the last node.
  Node* const division = divisionOf(node);
  return division != nullptr && maskOf(module, node, division) ? std::nullopt
                                                               : maskOf(module, node, nullptr);
}

void replaceRandomMask(const RandomMask& mask, Value* result) {
  mask.product->output()->replaceAllUsesWith(result);
  mask.product->destroy();
  for (Node* const writer : mask.writers) {
    if (!writer->hasUses()) {
      writer->destroy();
    }
  }
}

}  // namespace dubito
