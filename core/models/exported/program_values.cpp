// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/in_quotes.h"
#include "core/models/exported/program_values_torch.h"
#include "core/models/exported/tensor_meta_torch.h"

namespace dubito {

using nlohmann::json;
using torch::jit::Value;

namespace {

/// JSON has no infinities; they are written as text.
double doubleIn(const json& value) {
  if (!value.is_string()) {
    return value.get<double>();
  }
  const auto text = value.get<std::string>();
  if (text == "Infinity" || text == "-Infinity") {
    return (text.front() == '-' ? -1.0 : 1.0) * std::numeric_limits<double>::infinity();
  }
  if (text == "NaN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  throw UntranslatableProgram(inQuotes(text) + " is no number");
}

std::vector<double> doublesIn(const json& values) {
  std::vector<double> doubles;
  for (const json& value : values) {
    doubles.push_back(doubleIn(value));
  }
  return doubles;
}

/// c10::MemoryFormat of the schema's number.
std::int64_t memoryFormatOf(std::int64_t serial) {
  switch (serial) {
    case 1:
      return static_cast<std::int64_t>(c10::MemoryFormat::Contiguous);
    case 2:
      return static_cast<std::int64_t>(c10::MemoryFormat::ChannelsLast);
    case 3:
      return static_cast<std::int64_t>(c10::MemoryFormat::ChannelsLast3d);
    case 4:
      return static_cast<std::int64_t>(c10::MemoryFormat::Preserve);
    default:
      throw UntranslatableProgram(fmt::format("it uses the memory format {}", serial));
  }
}

std::int64_t layoutOf(std::int64_t serial) {
  constexpr std::int64_t kStrided = 7;
  if (serial != kStrided) {
    throw UntranslatableProgram("it uses sparse tensors");
  }
  return static_cast<std::int64_t>(c10::Layout::Strided);
}

c10::Device deviceIn(const json& value) {
  const auto type = value.at("type").get<std::string>();
  const bool is_gpu = type == "cuda" || type == "xpu" || type == "mps" || type == "hip";
  if (type != "cpu" && !is_gpu && type != "meta") {
    throw UntranslatableProgram("it computes on a device " + inQuotes(type));
  }
  return is_gpu ? c10::Device(c10::kCUDA, 0) : c10::Device(type);
}

/// The constant in an argument; nullopt if it refers to values of the program.
std::optional<c10::IValue> constantIn(const TaggedJson& argument) {
  const auto& [tag, value] = argument;
  if (tag == "as_none") {
    return c10::IValue();
  }
  if (tag == "as_int") {
    return integerIn(value);
  }
  if (tag == "as_bool") {
    return value.get<bool>();
  }
  if (tag == "as_float") {
    return doubleIn(value);
  }
  if (tag == "as_string") {
    return value.get<std::string>();
  }
  if (tag == "as_ints") {
    std::vector<std::int64_t> numbers;
    for (const json& number : value) {
      numbers.push_back(integerIn(number));
    }
    return numbers;
  }
  if (tag == "as_floats") {
    return doublesIn(value);
  }
  if (tag == "as_bools") {
    c10::List<bool> flags;
    for (const json& flag : value) {
      flags.push_back(flag.get<bool>());
    }
    return flags;
  }
  if (tag == "as_scalar_type") {
    const std::int64_t serial = integerIn(value);
    if (const auto type = scalarTypeOf(serial)) {
      return static_cast<std::int64_t>(*type);
    }
    throw UntranslatableProgram(fmt::format("it computes with numbers of type {}", serial));
  }
  if (tag == "as_memory_format") {
    return memoryFormatOf(integerIn(value));
  }
  if (tag == "as_layout") {
    return layoutOf(integerIn(value));
  }
  if (tag == "as_device") {
    return deviceIn(value);
  }
  if (tag == "as_complex") {
    return c10::complex<double>(doubleIn(value.at("real")), doubleIn(value.at("imag")));
  }
  return std::nullopt;
}

/// A constant of the type that an operator wants: whole numbers also stand for real ones.
c10::IValue converted(c10::IValue constant, const c10::Type& wanted) {
  const c10::Type* inner = &wanted;
  if (const auto optional = wanted.castRaw<c10::OptionalType>()) {
    inner = optional->getElementType().get();
  }
  if (inner->kind() == c10::TypeKind::FloatType && constant.isInt()) {
    return static_cast<double>(constant.toInt());
  }
  if (inner->kind() == c10::TypeKind::ListType) {
    const c10::TypeKind element = inner->castRaw<c10::ListType>()->getElementType()->kind();
    if (element == c10::TypeKind::FloatType && constant.isIntList()) {
      const std::vector<std::int64_t> whole = constant.toIntVector();
      return std::vector<double>(whole.begin(), whole.end());
    }
    if (element == c10::TypeKind::IntType && constant.isInt()) {
      return std::vector<std::int64_t>{constant.toInt()};
    }
    if (element == c10::TypeKind::FloatType && constant.isDouble()) {
      return std::vector<double>{constant.toDouble()};
    }
  }
  return constant;
}

}  // namespace

TaggedJson taggedIn(const json& value) {
  if (!value.is_object() || value.size() != 1) {
    throw UntranslatableProgram("an argument of it is malformed");
  }
  const auto member = value.begin();
  return {member.key(), member.value()};
}

std::string nameIn(const json& value) {
  for (const char* const key : {"name", "as_name"}) {
    if (value.is_object() && value.contains(key)) {
      return value.at(key).get<std::string>();
    }
  }
  return {};
}

void ProgramValues::set(const std::string& name, Value* value) {
  Value*& meant = values_[name];
  if (!replaced_.empty()) {
    replaced_.back().emplace_back(name, meant);
  }
  meant = value;
}

void ProgramValues::leaveGraph() {
  for (auto replaced = replaced_.back().rbegin(); replaced != replaced_.back().rend(); ++replaced) {
    if (replaced->second == nullptr) {
      values_.erase(replaced->first);
    } else {
      values_[replaced->first] = replaced->second;
    }
  }
  replaced_.pop_back();
}

Value* ProgramValues::at(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw UntranslatableProgram(inQuotes(name) + " is used before it is computed");
  }
  return found->second;
}

Value* ProgramValues::numberOrName(const json& value, const char* as_number) {
  if (const std::string name = nameIn(value); !name.empty()) {
    return at(name);
  }
  return argument(json{{as_number, value.at(as_number)}});
}

Value* ProgramValues::listOf(const json& items, const std::string& tag) {
  std::vector<Value*> elements;
  if (tag == "as_tensors") {
    for (const json& item : items) {
      elements.push_back(at(nameIn(item)));
    }
    return graph_.insertNode(graph_.createList(c10::TensorType::get(), elements))->output();
  }
  const char* const as_number = tag == "as_sym_ints"     ? "as_int"
                                : tag == "as_sym_floats" ? "as_float"
                                                         : "as_bool";
  const c10::TypePtr type = tag == "as_sym_ints"     ? c10::TypePtr(c10::IntType::get())
                            : tag == "as_sym_floats" ? c10::TypePtr(c10::FloatType::get())
                                                     : c10::TypePtr(c10::BoolType::get());
  for (const json& item : items) {
    elements.push_back(numberOrName(item, as_number));
  }
  return graph_.insertNode(graph_.createList(type, elements))->output();
}

Value* ProgramValues::optionalTensors(const json& items) {
  std::vector<Value*> elements;
  const c10::TypePtr type = c10::OptionalType::ofTensor();
  for (const json& item : items) {
    const TaggedJson element = taggedIn(item);
    if (element.tag == "as_none") {
      elements.push_back(graph_.insertConstant(c10::IValue())->setType(type));
    } else {
      elements.push_back(at(nameIn(element.value)));
    }
  }
  return graph_.insertNode(graph_.createList(type, elements))->output();
}

Value* ProgramValues::argument(const json& value) {
  return argument(value, *c10::AnyType::get());
}

Value* ProgramValues::argument(const json& value, const c10::Type& wanted) {
  const TaggedJson argument = taggedIn(value);
  const std::string& tag = argument.tag;
  if (auto constant = constantIn(argument)) {
    return graph_.insertConstant(converted(*std::move(constant), wanted));
  }
  if (tag == "as_tensor") {
    return at(nameIn(argument.value));
  }
  if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool") {
    Value* const symbolic = numberOrName(
        argument.value,
        tag == "as_sym_int" ? "as_int" : (tag == "as_sym_float" ? "as_float" : "as_bool"));
    const bool wants_real = wanted.kind() == c10::TypeKind::FloatType;
    return wants_real && symbolic->type()->kind() == c10::TypeKind::IntType
               ? graph_.insert(c10::Symbol::fromQualString("aten::Float"), {symbolic})
               : symbolic;
  }
  if (tag == "as_tensors" || tag == "as_sym_ints" || tag == "as_sym_floats" ||
      tag == "as_sym_bools") {
    return listOf(argument.value, tag);
  }
  if (tag == "as_optional_tensors") {
    return optionalTensors(argument.value);
  }
  if (tag == "as_optional_tensor") {
    const TaggedJson tensor = taggedIn(argument.value);
    return tensor.tag == "as_none" ? graph_.insertConstant(c10::IValue())
                                   : at(nameIn(tensor.value));
  }
  throw UntranslatableProgram(fmt::format("it uses an argument of kind {}", inQuotes(tag)));
}

}  // namespace dubito
