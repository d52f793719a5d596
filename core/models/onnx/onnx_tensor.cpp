// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/onnx_tensor.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "core/base/in_quotes.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/wire.h"

namespace dubito {
namespace {

using Kind = WireField::Kind;

/// Nodes, attributes, tensors and the like. Large networks have some hundred thousand.
constexpr std::int64_t kMaxObjects = 1'500'000;

/// Appends an integer as an element of `size` bytes.
void appendElement(std::int64_t value, std::size_t size, std::string& elements) {
  std::array<char, sizeof value> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  elements.append(bytes.data(), size);
}

void setPlace(std::pair<std::string_view, std::string_view> entry, OnnxTensor& tensor) {
  const std::string_view key = entry.first;
  const std::string_view value = entry.second;
  const auto number = [value, &tensor] {
    std::int64_t result = 0;
    for (const char digit : value) {
      if (digit < '0' || digit > '9' || result > (std::int64_t{1} << 58)) {
        refuseDamaged(
            fmt::format("the place of the weights {} is no number", inQuotes(tensor.name)));
      }
      result = result * 10 + (digit - '0');
    }
    return result;
  };
  if (key == "location") {
    tensor.location = value;
  } else if (key == "offset") {
    tensor.offset = number();
  } else if (key == "length") {
    tensor.length = number();
  }
}

/// Turns elements stored as numbers into bytes.
void convert(const std::vector<WireField>& numbers, OnnxTensor& tensor) {
  const std::size_t size = bytesOf(tensor.type);
  if (numbers.empty() || size == 0) {
    return;
  }
  tensor.is_converted = true;
  std::vector<std::int64_t> integers;
  for (const WireField& field : numbers) {
    // Floating-point numbers are packed as their bytes.
    const bool is_floating = field.number == 4 || field.number == 10;
    if (!is_floating) {
      appendIntegers(field, integers);
    } else if (field.kind == Kind::kBytes) {
      tensor.converted.append(field.bytes);
    } else {
      appendElement(field.integer(), field.number == 4 ? 4 : 8, tensor.converted);
    }
  }
  for (const std::int64_t integer : integers) {
    appendElement(integer, size, tensor.converted);
  }
}

struct NamedType {
  const char* name;
  std::size_t bytes;
};

/// By ONNX's number.
constexpr std::array<NamedType, 17> kTypes = {{{"undefined", 0},
                                               {"float", 4},
                                               {"uint8", 1},
                                               {"int8", 1},
                                               {"uint16", 2},
                                               {"int16", 2},
                                               {"int32", 4},
                                               {"int64", 8},
                                               {"string", 0},
                                               {"bool", 1},
                                               {"float16", 2},
                                               {"double", 8},
                                               {"uint32", 4},
                                               {"uint64", 8},
                                               {"complex64", 0},
                                               {"complex128", 0},
                                               {"bfloat16", 2}}};

const NamedType* find(OnnxType type) {
  const auto number = static_cast<std::size_t>(type);
  return static_cast<std::int32_t>(type) >= 0 && number < kTypes.size() ? &kTypes[number] : nullptr;
}

}  // namespace

void ObjectCount::add() {
  if (++count_ > kMaxObjects) {
    refuseDamaged(fmt::format("it has more than {} parts", kMaxObjects));
  }
}

std::pair<std::string_view, std::string_view> entryFrom(std::string_view message) {
  WireReader reader(message);
  std::pair<std::string_view, std::string_view> entry;
  for (WireField field; reader.next(field);) {
    (field.number == 1 ? entry.first : entry.second) = field.bytes;
  }
  return entry;
}

OnnxTensor tensorFrom(std::string_view message, ObjectCount& count) {
  count.add();
  OnnxTensor tensor;
  std::vector<WireField> numbers;
  bool is_external = false;
  WireReader reader(message);
  for (WireField field; reader.next(field);) {
    switch (field.number) {
      case 1:
        appendIntegers(field, tensor.shape);
        break;
      case 2:
        tensor.type = static_cast<OnnxType>(field.integer());
        break;
      case 4:
      case 5:
      case 7:
      case 10:
      case 11:
        numbers.push_back(field);
        break;
      case 8:
        tensor.name = field.bytes;
        break;
      case 9:
        tensor.bytes = field.bytes;
        break;
      case 13:
        count.add();
        setPlace(entryFrom(field.bytes), tensor);
        break;
      case 14:
        is_external = field.value == 1;
        break;
      default:
        break;
    }
  }
  if (!is_external) {
    tensor.location = {};
  } else if (tensor.location.empty()) {
    refuseDamaged(fmt::format("the weights {} name no file", inQuotes(tensor.name)));
  }
  convert(numbers, tensor);
  return tensor;
}

std::string nameOf(OnnxType type) {
  const NamedType* const named = find(type);
  return named != nullptr ? named->name : fmt::format("type {}", static_cast<std::int32_t>(type));
}

std::size_t bytesOf(OnnxType type) {
  const NamedType* const named = find(type);
  return named != nullptr ? named->bytes : 0;
}

}  // namespace dubito
