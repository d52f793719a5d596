// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/onnx_file.h"

#include <utility>

#include "core/models/onnx/onnx_tensor.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/wire.h"

namespace dubito {
namespace {

using Kind = WireField::Kind;

constexpr int kMaxDepth = 8;  ///< of graphs in attributes

std::string_view asText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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
          count_.add();
          file.metadata.insert(entryFrom(field.bytes));
          break;
        case 25:
          count_.add();
          file.functions.push_back(function(field.bytes));
          break;
        default:
          break;
      }
    }
  }

 private:
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
          graph.initializers.push_back(
              std::make_shared<OnnxTensor>(tensorFrom(field.bytes, count_)));
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
    count_.add();
    OnnxNode node;
    WireReader reader(message);
    for (WireField field; reader.next(field);) {
      switch (field.number) {
        case 1:
          count_.add();
          node.inputs.push_back(field.bytes);
          break;
        case 2:
          count_.add();
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
    count_.add();
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
          attribute.tensor = std::make_shared<OnnxTensor>(tensorFrom(field.bytes, count_));
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
          count_.add();
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

  OnnxValueInfo valueInfo(std::string_view message) {
    count_.add();
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
          count_.add();
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
          count_.add();
          function.inputs.push_back(field.bytes);
          break;
        case 5:
          count_.add();
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

  ObjectCount count_;
};

}  // namespace

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
  ObjectCount count;
  return tensorFrom(message, count);
}

OnnxFile parseOnnx(const std::string& path, std::shared_ptr<const MappedFile> mapped) {
  OnnxFile file;
  file.path = path;
  file.mapped = std::move(mapped);
  Parser().model(asText(file.mapped->bytes()), file);
  return file;
}

}  // namespace dubito
