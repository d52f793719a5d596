// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/onnx_file.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/wire.h"

namespace dubito {
namespace {

using Kind = WireField::Kind;

/// Nodes, attributes, tensors and the like. Large networks have some hundred thousand.
constexpr std::int64_t kMaxObjects = 1'500'000;
constexpr int kMaxDepth = 8;  ///< of graphs in attributes

std::string_view asText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends an integer as an element of `size` bytes.
void appendElement(std::int64_t value, std::size_t size, std::string& elements) {
  std::array<char, sizeof value> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  elements.append(bytes.data(), size);
}

void setOpset(std::string_view message, std::map<std::string_view, std::int64_t>& opsets) {
  WireReader reader(message);
  std::string_view domain;
  std::int64_t version = 0;
  for (WireField field; reader.next(field);) {
    if (field.number == 1) {
      domain = field.bytes;
    } else if (field.number == 2) {
      version = field.integer();
    }
  }
  opsets[domain == "ai.onnx" ? std::string_view() : domain] = version;
}

std::pair<std::string_view, std::string_view> entryFrom(std::string_view message) {
  WireReader reader(message);
  std::pair<std::string_view, std::string_view> entry;
  for (WireField field; reader.next(field);) {
    (field.number == 1 ? entry.first : entry.second) = field.bytes;
  }
  return entry;
}

class Parser {
 public:
  void model(std::string_view message, OnnxFile& file) {
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      switch (field.number) {
        case 1:
          file.ir_version = field.integer();
          break;
        case 2:
          file.producer = field.bytes;
          break;
        case 3:
          file.producer_version = field.bytes;
          break;
        case 7:
          graph(field.bytes, 0, file.graph);
          break;
        case 8:
          setOpset(field.bytes, file.opsets);
          break;
        case 14:
          count();
          file.metadata.insert(entryFrom(field.bytes));
          break;
        case 25:
          count();
          file.functions.push_back(function(field.bytes));
          break;
        default:
          break;
      }
    }
  }

  OnnxTensor tensor(std::string_view message) {
    count();
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
          count();
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

 private:
  void count() {
    if (++objects_ > kMaxObjects) {
      refuseDamaged(fmt::format("it has more than {} parts", kMaxObjects));
    }
  }

  void graph(std::string_view message, int depth, OnnxGraph& graph) {
    if (depth > kMaxDepth) {
      refuseDamaged("its graphs are nested too deeply");
    }
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      switch (field.number) {
        case 1:
          graph.nodes.push_back(node(field.bytes, depth));
          break;
        case 5:
          graph.initializers.push_back(std::make_shared<OnnxTensor>(tensor(field.bytes)));
          break;
        case 11:
          graph.inputs.push_back(valueInfo(field.bytes));
          break;
        case 12:
          graph.outputs.push_back(valueInfo(field.bytes));
          break;
        case 15:
          refuseUnsupported(
              "its weights are stored as sparse tensors, which are not supported; export it with "
              "dense weights");
        default:
          break;
      }
    }
  }

  OnnxNode node(std::string_view message, int depth) {
    count();
    OnnxNode node;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      switch (field.number) {
        case 1:
          count();
          node.inputs.push_back(field.bytes);
          break;
        case 2:
          count();
          node.outputs.push_back(field.bytes);
          break;
        case 3:
          node.name = field.bytes;
          break;
        case 4:
          node.op = field.bytes;
          break;
        case 5:
          node.attributes.push_back(attribute(field.bytes, depth));
          break;
        case 7:
          node.domain = field.bytes == "ai.onnx" ? std::string_view() : field.bytes;
          break;
        case 9:
          if (const auto [key, value] = entryFrom(field.bytes);
              key == "pkg.torch.onnx.name_scopes") {
            node.scopes = value;
          }
          break;
        default:
          break;
      }
    }
    return node;
  }

  OnnxAttribute attribute(std::string_view message, int depth) {
    count();
    OnnxAttribute attribute;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      switch (field.number) {
        case 1:
          attribute.name = field.bytes;
          break;
        case 2:
          attribute.number = field.number32();
          break;
        case 3:
          attribute.integer = field.integer();
          break;
        case 4:
          attribute.text = field.bytes;
          break;
        case 5:
          attribute.tensor = std::make_shared<OnnxTensor>(tensor(field.bytes));
          break;
        case 6: {
          auto inner = std::make_shared<OnnxGraph>();
          graph(field.bytes, depth + 1, *inner);
          attribute.graph = std::move(inner);
          break;
        }
        case 7:
          appendNumbers(field, attribute.numbers);
          break;
        case 8:
          appendIntegers(field, attribute.integers);
          break;
        case 9:
          count();
          attribute.texts.push_back(field.bytes);
          break;
        case 21:
          attribute.is_reference = true;
          attribute.reference = field.bytes;
          break;
        default:
          break;
      }
    }
    return attribute;
  }

  static void setPlace(std::pair<std::string_view, std::string_view> entry, OnnxTensor& tensor) {
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
  static void convert(const std::vector<WireField>& numbers, OnnxTensor& tensor) {
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

  OnnxValueInfo valueInfo(std::string_view message) {
    count();
    OnnxValueInfo info;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      if (field.number == 1) {
        info.name = field.bytes;
      } else if (field.number == 2) {
        WireReader type(field.bytes);
        for (WireField inner; type.next(inner);) {
          if (inner.number == 1) {
            info.is_tensor = true;
            tensorType(inner.bytes, info);
          }
        }
      }
    }
    return info;
  }

  void tensorType(std::string_view message, OnnxValueInfo& info) {
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      if (field.number == 1) {
        info.type = static_cast<OnnxType>(field.integer());
      } else if (field.number == 2) {
        info.shape.emplace();
        WireReader shape(field.bytes);
        for (WireField size; shape.next(size);) {
          count();
          if (size.number == 1) {
            info.shape->push_back(sizeFrom(size.bytes));
          }
        }
      }
    }
  }

  static OnnxSize sizeFrom(std::string_view message) {
    OnnxSize size;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      if (field.number == 1) {
        size.size = field.integer() >= 0 ? field.integer() : -1;
      } else if (field.number == 2) {
        size.name = field.bytes;
      }
    }
    return size;
  }

  OnnxFunction function(std::string_view message) {
    OnnxFunction function;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      switch (field.number) {
        case 1:
          function.name = field.bytes;
          break;
        case 4:
          count();
          function.inputs.push_back(field.bytes);
          break;
        case 5:
          count();
          function.outputs.push_back(field.bytes);
          break;
        case 7:
          function.nodes.push_back(node(field.bytes, 0));
          break;
        case 9:
          setOpset(field.bytes, function.opsets);
          break;
        case 10:
          function.domain = field.bytes;
          break;
        default:
          break;
      }
    }
    return function;
  }

  std::int64_t objects_ = 0;
};

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

std::string nameOf(OnnxType type) {
  const NamedType* const named = find(type);
  return named != nullptr ? named->name : fmt::format("type {}", static_cast<std::int32_t>(type));
}

std::size_t bytesOf(OnnxType type) {
  const NamedType* const named = find(type);
  return named != nullptr ? named->bytes : 0;
}

bool isOnnx(const std::string& path) {
  const auto mapped = MappedFile::open(path);
  if (!mapped) {
    return false;
  }
  try {
    WireReader reader(asText((*mapped)->bytes()));
    bool has_graph = false;
    bool has_version = false;
    for (WireField field; reader.next(field);) {
      const bool is_number = field.kind == Kind::kVarint;
      const bool should_be_number = field.number == 1 || field.number == 5;
      if (field.number > 30 || is_number != should_be_number) {
        return false;
      }
      has_version = has_version || field.number == 1;
      has_graph = has_graph || field.number == 7;
    }
    return has_graph && has_version;
  } catch (const RefusedOnnx&) {
    return false;
  }
}

OnnxTensor parseOnnxTensor(std::string_view message) {
  return Parser().tensor(message);
}

OnnxFile parseOnnx(const std::string& path, std::shared_ptr<const MappedFile> mapped) {
  OnnxFile file;
  file.path = path;
  file.mapped = std::move(mapped);
  Parser().model(asText(file.mapped->bytes()), file);
  return file;
}

}  // namespace dubito
