// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/models/exported/symbolic_numbers_torch.h"

namespace dubito {

using torch::jit::Value;

namespace {

struct Function {
  std::string_view python;
  const char* op;
};

constexpr std::array<Function, 33> kFunctions = {{
    {"_operator.add", "aten::add"},
    {"_operator.sub", "aten::sub"},
    {"_operator.mul", "aten::mul"},
    {"_operator.floordiv", "aten::floordiv"},
    {"_operator.truediv", "aten::div"},
    {"_operator.mod", "aten::remainder"},
    {"_operator.pow", "aten::pow"},
    {"_operator.neg", "aten::neg"},
    {"_operator.eq", "aten::eq"},
    {"_operator.ne", "aten::ne"},
    {"_operator.lt", "aten::lt"},
    {"_operator.le", "aten::le"},
    {"_operator.gt", "aten::gt"},
    {"_operator.ge", "aten::ge"},
    {"_operator.and_", "aten::__and__"},
    {"_operator.or_", "aten::__or__"},
    {"_operator.xor", "aten::__xor__"},
    {"_operator.not_", "aten::__not__"},
    {"_operator.lshift", "aten::__lshift__"},
    {"_operator.rshift", "aten::__rshift__"},
    {"math.trunc", "aten::Int"},
    {"math.floor", "aten::floor"},
    {"math.ceil", "aten::ceil"},
    {"math.sqrt", "aten::sqrt"},
    {"round", "aten::round"},
    {"torch.sym_int", "aten::Int"},
    {"torch.sym_float", "aten::Float"},
    {"torch.sym_not", "aten::__not__"},
    {"torch.sym_max", "prim::max"},
    {"torch.sym_min", "prim::min"},
    {"torch._sym_sqrt", "aten::sqrt"},
    {"torch.sym_sqrt", "aten::sqrt"},
    {"_operator.abs", "prim::abs"},
}};

}  // namespace

Value* insertSymbolicNumber(torch::jit::Graph& graph, const std::string& function,
                            const std::vector<Value*>& inputs, bool is_whole) {
  const auto* const found = std::ranges::find(kFunctions, function, &Function::python);
  if (found == kFunctions.end()) {
    return nullptr;
  }
  const std::vector<torch::jit::NamedValue> arguments(inputs.begin(), inputs.end());
  Value* result = graph.insert(c10::Symbol::fromQualString(found->op), arguments);
  const c10::TypeKind kind = result->type()->kind();
  if (is_whole && (kind == c10::TypeKind::FloatType || kind == c10::TypeKind::NumberType)) {
    result = graph.insert(c10::Symbol::fromQualString("aten::Int"), {result});
  }
  return result;
}

}  // namespace dubito
