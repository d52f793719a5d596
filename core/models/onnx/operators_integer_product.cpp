// SPDX-License-Identifier: GPL-3.0-or-later
// Products and convolutions of quantised values. Sums of products of integers are exact: in float32
// if they stay below 2^24, otherwise in double precision.
#include <ATen/ExpandUtils.h>
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/models/onnx/graph_translation_torch.h"
#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/quantisation_torch.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

/// Whole numbers up to here are exact in float32, and so are sums whose parts stay below.
constexpr double kMaxExactFloat = 16'777'216.0;

/// Whether a scale or zero point is one number for a whole tensor.
bool isOfWhole(const OnnxValue& value) {
  return value.shape && std::ranges::all_of(*value.shape, [](auto size) { return size == 1; });
}

/// The axis along which zero points of a factor vary.
enum class Along { kRows, kColumns, kOutputChannels };

/// Sizes of one number for each output channel of kernels with `axes` axes.
std::vector<std::int64_t> sizesOfChannels(const Node& node, std::int64_t axes) {
  if (axes < 1) {
    node.refuseNode("its kernels have no channels");
  }
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(axes), 1);
  sizes.front() = -1;
  return sizes;
}

/// A constant zero point, shaped to be subtracted from the second factor.
at::Tensor aligned(const Node& node, const at::Tensor& zero, const at::Tensor& factor,
                   Along along) {
  if (zero.numel() == 1) {
    return zero.reshape({});
  }
  if (along != Along::kOutputChannels) {
    return zero;
  }
  return zero.reshape(sizesOfChannels(node, factor.dim()));
}

/// The second factor without its zero point, if both are constants.
std::optional<at::Tensor> knownFactor(const Node& node, Along along) {
  const auto values = node.constant(1);
  const auto zero = node.constant(3);
  if (!values || (node.hasInput(3) && !zero)) {
    return std::nullopt;
  }
  const at::Tensor shifted = values->to(at::kDouble);
  if (!zero) {
    return shifted;
  }
  const at::Tensor subtracted = aligned(node, zero->to(at::kDouble), *values, along);
  if (at::infer_size(values->sizes(), subtracted.sizes()) != values->sizes()) {
    node.refuseNode("its zero points do not fit its weights");
  }
  return at::sub(shifted, subtracted);
}

/// The largest |x - zero point| of the first factor.
double largestStep(const Node& node) {
  const IntegerRange range = quantisedRange(node, node.type(0).value_or(at::kByte));
  const auto zero = node.hasInput(2) ? node.constant(2) : std::optional(at::zeros({1}));
  if (!zero || zero->numel() == 0) {
    return static_cast<double>(range.highest - range.lowest);
  }
  const at::Tensor known = zero->to(at::kDouble);
  return std::max(known.max().item().toDouble() - static_cast<double>(range.lowest),
                  static_cast<double>(range.highest) - known.min().item().toDouble());
}

/// The type in which all sums over `axes` of the second factor are exact.
at::ScalarType exactType(const Node& node, const std::optional<at::Tensor>& factor,
                         const std::vector<std::int64_t>& axes) {
  if (!factor || factor->numel() == 0) {
    return at::kDouble;
  }
  const double largest =
      at::amax(at::sum(at::abs(*factor), axes)).item().toDouble() * largestStep(node);
  return largest <= kMaxExactFloat ? at::kFloat : at::kDouble;
}

/// A factor of the product, without its zero point, in a type in which the product is exact.
OnnxValue shiftedInput(Node& node, std::size_t i, Along along, at::ScalarType type) {
  const std::string values = node.source().assign(
      fmt::format("{}.to({})", node.tensor(i, "weight"), static_cast<int>(type)));
  if (!node.hasInput(i + 2)) {
    return tensorValue(values, type, node.shape(i));
  }
  const OnnxValue& stated = node.input(i + 2);
  std::string zero = node.tensor(i + 2, "zero_point");
  if (isOfWhole(stated)) {
    zero += ".reshape([])";
  } else if (along == Along::kOutputChannels) {
    zero += fmt::format(".reshape({})", listText(sizesOfChannels(node, node.knownRank(i))));
  } else if (along == Along::kRows && stated.rank() == 1) {
    zero = fmt::format("torch.unsqueeze({}, 1)", zero);
  }
  return tensorValue(node.source().assign(fmt::format("torch.sub({}, {})", values, zero)), type,
                     node.shape(i));
}

/// The second factor as a weight of the program, or computed while it runs.
OnnxValue secondFactor(Node& node, const std::optional<at::Tensor>& known, Along along,
                       at::ScalarType type) {
  if (!known) {
    return shiftedInput(node, 1, along, type);
  }
  // The same weights may be used with other zero points.
  std::vector<std::int64_t> zeros;
  if (const auto zero = node.constant(3)) {
    const at::Tensor whole = zero->to(at::kLong).contiguous();
    zeros.assign(whole.const_data_ptr<std::int64_t>(),
                 whole.const_data_ptr<std::int64_t>() + whole.numel());
  }
  const std::string change =
      fmt::format("without {} as {}", listText(zeros), static_cast<int>(type));
  return tensorValue(node.weight(1, "weight", change, known->to(type)), type, node.shape(1));
}

void setProduct(Node& node, const OnnxValue& product) {
  // Rounded, because a convolution may be computed by transforming its kernels.
  node.set(0, fmt::format("torch.round({}).to({})", product.variable, static_cast<int>(at::kInt)),
           at::kInt, product.shape);
}

void matMulInteger(Node& node) {
  const auto known = knownFactor(node, Along::kColumns);
  const std::vector<std::int64_t> axes = {known && known->dim() > 1 ? known->dim() - 2 : 0};
  const at::ScalarType type = exactType(node, known, axes);
  const OnnxValue a = shiftedInput(node, 0, Along::kRows, type);
  const OnnxValue b = secondFactor(node, known, Along::kColumns, type);
  setProduct(node, node.part("MatMul", {&a, &b}));
}

void convInteger(Node& node) {
  const std::int64_t rank = node.knownRank(1);
  const auto known = knownFactor(node, Along::kOutputChannels);
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 1; axis < rank; ++axis) {
    axes.push_back(axis);
  }
  const at::ScalarType type = exactType(node, known, axes);
  // Without its zero point the input is padded with zeros, as the operator defines.
  const OnnxValue x = shiftedInput(node, 0, Along::kRows, type);
  const OnnxValue weight = secondFactor(node, known, Along::kOutputChannels, type);
  setProduct(node, node.part("Conv", {&x, &weight}));
}

/// Positions of the scales of a product.
struct Scales {
  std::size_t a;
  std::size_t b;
  std::optional<std::size_t> result;  ///< divides
  double factor = 1.0;
  std::int64_t axes_after = 0;  ///< axes behind that along which the scale of `b` varies
};

/// The scale of `a` varies along the rows, with which a vector has to be aligned.
bool isPerRow(const OnnxValue& scale) {
  return scale.rank() == 1 && !isOfWhole(scale);
}

/// What the integers of a product are multiplied with: a number, or a tensor in the program.
std::string scaleText(Node& node, const Scales& scales) {
  const auto shaped = [&](std::size_t i) {
    std::vector<std::int64_t> sizes = {-1};
    sizes.insert(sizes.end(), static_cast<std::size_t>(scales.axes_after), 1);
    if (isOfWhole(node.input(i))) {
      return std::string(".reshape([])");
    }
    if (i == scales.a && isPerRow(node.input(i))) {
      return std::string(".reshape([-1, 1])");
    }
    return i == scales.b && scales.axes_after > 0 ? fmt::format(".reshape({})", listText(sizes))
                                                  : std::string();
  };
  const auto a = node.constant(scales.a);
  const auto b = node.constant(scales.b);
  const auto result = scales.result ? node.constant(*scales.result) : std::optional(at::ones({1}));
  if (a && b && result && a->numel() == 1 && result->numel() == 1) {
    const at::Tensor known = a->to(at::kFloat).reshape({}) * b->to(at::kFloat) /
                             result->to(at::kFloat).reshape({}) * scales.factor;
    if (known.numel() == 1) {
      return numberText(known.item().toDouble());
    }
    return node.source().assign(node.addWeight("scale", known, false) + shaped(scales.b));
  }
  const auto text = [&](std::size_t i) {
    return fmt::format("{}{}.to({})", node.tensor(i, "scale"), shaped(i),
                       static_cast<int>(at::kFloat));
  };
  std::string product = fmt::format("torch.mul({}, {})", text(scales.a), text(scales.b));
  if (scales.result) {
    product = fmt::format("torch.div({}, {})", product, text(*scales.result));
  }
  if (scales.factor != 1.0) {
    product = fmt::format("torch.mul({}, {})", product, numberText(scales.factor));
  }
  return node.source().assign(product);
}

/// The integers of a product as float32, scaled.
OnnxValue scaled(Node& node, const OnnxValue& integers, const Scales& scales) {
  const std::string scale = scaleText(node, scales);
  return tensorValue(node.source().assign(fmt::format("torch.mul({}.to({}), {})", integers.variable,
                                                      static_cast<int>(at::kFloat), scale)),
                     at::kFloat, integers.shape);
}

/// Adds a bias of integers, with the scale of the product.
OnnxValue withBias(Node& node, const OnnxValue& integers, std::size_t bias,
                   std::int64_t axes_after) {
  if (!node.hasInput(bias)) {
    return integers;
  }
  std::string added = node.tensor(bias, "bias");
  if (axes_after > 0) {
    std::vector<std::int64_t> sizes = {-1};
    sizes.insert(sizes.end(), static_cast<std::size_t>(axes_after), 1);
    added += fmt::format(".reshape({})", listText(sizes));
  }
  return tensorValue(
      node.source().assign(fmt::format("torch.add({}, {})", integers.variable, added)), at::kInt,
      integers.shape);
}

/// Rounds scaled integers half to even and saturates, with the zero point of the result.
void setRequantised(Node& node, const OnnxValue& x, std::size_t zero_point,
                    at::ScalarType fallback) {
  const at::ScalarType type =
      node.hasInput(zero_point) ? node.type(zero_point).value_or(fallback) : fallback;
  const IntegerRange range = quantisedRange(node, type);
  std::string rounded = fmt::format("torch.round({})", x.variable);
  if (node.hasInput(zero_point)) {
    const auto known = node.constant(zero_point);
    rounded = fmt::format("torch.add({}, {})", rounded,
                          known && known->numel() == 1 ? std::to_string(known->item().toLong())
                                                       : node.tensor(zero_point, "zero_point"));
  }
  node.set(0,
           fmt::format("torch.clamp({}, {}, {}).to({})", node.source().assign(rounded),
                       range.lowest, range.highest, static_cast<int>(type)),
           type, x.shape);
}

// Inputs of both: x, its scale and zero point, w, its scale and zero point, scale and zero point of
// the result, and the bias of a convolution.

void quantisedConv(Node& node) {
  const std::int64_t axes = node.knownRank(3) - 2;
  const OnnxValue product = node.part(
      "ConvInteger", {&node.input(0), &node.input(3), node.inputOrNull(2), node.inputOrNull(5)});
  const OnnxValue biased = withBias(node, product, 8, axes);
  const OnnxValue x =
      scaled(node, biased, {.a = 1, .b = 4, .result = 6, .factor = 1.0, .axes_after = axes});
  setRequantised(node, x, 7, node.type(0).value_or(at::kByte));
}

void quantisedMatMul(Node& node) {
  const OnnxValue product = node.part(
      "MatMulInteger", {&node.input(0), &node.input(3), node.inputOrNull(2), node.inputOrNull(5)});
  const OnnxValue x = scaled(node, product, {.a = 1, .b = 4, .result = 6});
  setRequantised(node, x, 7, node.type(0).value_or(at::kByte));
}

/// An input of two axes with these exchanged; constants stay constants.
OnnxValue transposedInput(Node& node, std::size_t i) {
  if (const auto known = node.constant(i); known && known->dim() == 2) {
    return constantValue(known->t().contiguous());
  }
  return node.part("Transpose", {&node.input(i)}, {listAttribute("perm", {1, 0})});
}

/// Inputs: a, its scale and zero point, b, its scale and zero point, the bias c, and scale and zero
/// point of the result; without these, the result is a real number.
void quantisedGemm(Node& node) {
  const OnnxValue a = node.flag("transA", false) ? transposedInput(node, 0) : node.input(0);
  const OnnxValue b = node.flag("transB", false) ? transposedInput(node, 3) : node.input(3);
  const OnnxValue product =
      node.part("MatMulInteger", {&a, &b, node.inputOrNull(2), node.inputOrNull(5)});
  const OnnxValue biased = withBias(node, product, 6, 0);
  const bool is_quantised = node.hasInput(7);
  const OnnxValue x = scaled(node, biased,
                             {.a = 1,
                              .b = 4,
                              .result = is_quantised ? std::optional<std::size_t>(7) : std::nullopt,
                              .factor = node.number("alpha", 1.0)});
  if (!is_quantised) {
    node.setValue(x);
    return;
  }
  setRequantised(node, x, 8, node.type(0).value_or(at::kByte));
}

/// Real numbers plus a bias, the last input.
void setWithRealBias(Node& node, const OnnxValue& x, std::size_t bias) {
  node.setValue(node.hasInput(bias) ? node.part("Add", {&x, &node.input(bias)}) : x);
}

/// Inputs: a, b, their scales, their zero points, and a bias of real numbers.
void matMulIntegerToFloat(Node& node) {
  const OnnxValue product = node.part(
      "MatMulInteger", {&node.input(0), &node.input(1), node.inputOrNull(4), node.inputOrNull(5)});
  setWithRealBias(node, scaled(node, product, {.a = 2, .b = 3, .result = std::nullopt}), 6);
}

/// Inputs: real numbers, which are quantised by their range, b, its scale and zero point, and a
/// bias of real numbers.
void dynamicQuantisedMatMul(Node& node) {
  const auto quantised = node.source().assignSeveral(
      3, fmt::format("{}({})", node.source().helper("quantise_by_range"), node.tensor(0)));
  const OnnxValue a = tensorValue(quantised[0], at::kByte, node.shape(0));
  const OnnxValue zero = tensorValue(quantised[2], at::kByte, OnnxShape());
  const OnnxValue product =
      node.part("MatMulInteger", {&a, &node.input(1), &zero, node.inputOrNull(3)});
  const std::string scale =
      node.source().assign(fmt::format("torch.mul({}, {})", node.tensor(2, "scale"), quantised[1]));
  const OnnxValue x =
      tensorValue(node.source().assign(fmt::format("torch.mul({}.to({}), {})", product.variable,
                                                   static_cast<int>(at::kFloat), scale)),
                  at::kFloat, product.shape);
  setWithRealBias(node, x, 4);
}

constexpr OnnxOperator kOperators[] = {
    {"ConvInteger", convInteger},
    {"MatMulInteger", matMulInteger},
    {"QLinearConv", quantisedConv},
    {"QLinearMatMul", quantisedMatMul},
    {"DynamicQuantizeMatMul", dynamicQuantisedMatMul, kMicrosoftDomain},
    {"MatMulIntegerToFloat", matMulIntegerToFloat, kMicrosoftDomain},
    {"QGemm", quantisedGemm, kMicrosoftDomain},
};

}  // namespace

std::span<const OnnxOperator> integerProductOperators() {
  return kOperators;
}

}  // namespace dubito
