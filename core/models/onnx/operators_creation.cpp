// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors that are computed from sizes or from nothing, and sizes as tensors.
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/models/onnx/node_translation_torch.h"
#include "core/models/onnx/operators.h"
#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

using Node = NodeTranslation;

std::string deviceOf(Node& node) {
  return node.source().inputs().empty()
             ? std::string()
             : fmt::format(", device={}.device", node.source().inputs().front());
}

void constantOfShape(Node& node) {
  const OnnxAttribute* const stated = node.attribute("value");
  at::Tensor value = at::zeros({}, at::kFloat);
  if (stated != nullptr && stated->tensor) {
    value = node.program().stored.read(*stated->tensor).reshape({-1});
    if (value.numel() != 1) {
      node.refuseNode("its value is not one number");
    }
  }
  const std::string text = value.is_floating_point() ? numberText(value.item().toDouble())
                           : value.scalar_type() == at::kBool
                               ? boolText(value.item().toBool())
                               : std::to_string(value.item().toLong());
  KnownShape shape;
  if (const auto sizes = node.integersOf(0)) {
    shape = knownSizes(*sizes, std::nullopt);
  }
  node.set(0,
           fmt::format("torch.full({}, {}, dtype={}{})", node.integerList(0), text,
                       static_cast<int>(value.scalar_type()), deviceOf(node)),
           value.scalar_type(), shape);
}

void range(Node& node) {
  const auto begin = node.integersOf(0);
  const auto end = node.integersOf(1);
  const auto step = node.integersOf(2);
  if (!begin || !end || !step) {
    const auto type = node.type(0);
    node.set(0,
             fmt::format("{}({}, {}, {})", node.source().helper("range_of"), node.tensor(0),
                         node.tensor(1), node.tensor(2)),
             type, unknownSizes(1));
    return;
  }
  const auto type = node.type(0).value_or(at::kLong);
  std::int64_t count = kUnknownSize;
  if (begin->at(0).known && end->at(0).known && step->at(0).known == 1 &&
      !__builtin_sub_overflow(*end->at(0).known, *begin->at(0).known, &count)) {
    count = std::max<std::int64_t>(count, 0);
  }
  node.set(0,
           fmt::format("torch.arange({}, {}, {}, dtype={}{})", begin->at(0).text, end->at(0).text,
                       step->at(0).text, static_cast<int>(type), deviceOf(node)),
           type, OnnxShape{count});
}

void shapeOf(Node& node) {
  const std::string whole =
      node.source().assign(fmt::format("torch._shape_as_tensor({})", node.tensor(0)));
  const std::int64_t start = node.integer("start", 0);
  const OnnxAttribute* const end = node.attribute("end");
  node.set(0,
           fmt::format("{}[{}:{}]", whole, start,
                       end == nullptr ? std::string() : std::to_string(end->integer.value_or(0))),
           at::kLong, std::nullopt);
}

void eyeLike(Node& node) {
  const OnnxAttribute* const stated = node.attribute("dtype");
  const auto type = stated != nullptr
                        ? torchTypeOf(static_cast<OnnxType>(stated->integer.value_or(0)))
                        : node.type(0).value_or(at::kFloat);
  node.set(0,
           fmt::format("{}({}, {}, {})", node.source().helper("eye_like"), node.tensor(0),
                       node.integer("k", 0), static_cast<int>(type)),
           type, node.shape(0));
}

void trilu(Node& node) {
  const std::string_view function = node.flag("upper", true) ? "triu" : "tril";
  std::int64_t k = 0;
  if (node.hasInput(1)) {
    k = static_cast<std::int64_t>(node.numberAt(1, 0.0, "its diagonal"));
  }
  node.setLikeInput(fmt::format("torch.{}({}, {})", function, node.tensor(0), k));
}

constexpr OnnxOperator kOperators[] = {
    {"ConstantOfShape", constantOfShape},
    {"EyeLike", eyeLike},
    {"Range", range},
    {"Shape", shapeOf},
    {"Size",
     [](Node& node) {
       node.set(0, fmt::format("torch.tensor({}.numel())", node.tensor(0)), at::kLong, OnnxShape());
     }},
    {"Trilu", trilu},
};

}  // namespace

std::span<const OnnxOperator> creationOperators() {
  return kOperators;
}

}  // namespace dubito
