// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace dubito::test {

inline std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7U) {
    text += static_cast<char>((value & 0x7FU) | 0x80U);
  }
  return text + static_cast<char>(value);
}

/// Field `number` of a protobuf message: text or a message.
inline std::string bytesField(std::uint64_t number, std::string_view bytes) {
  return varint(number << 3U | 2U) + varint(bytes.size()) + std::string(bytes);
}

/// Field `number` of a protobuf message: an integer.
inline std::string integerField(std::uint64_t number, std::int64_t value) {
  return varint(number << 3U) + varint(static_cast<std::uint64_t>(value));
}

/// An ONNX file written by hand, part by part, so that it can be wrong in any place.
class OnnxBuilder {
 public:
  /// An attribute of a node.
  static std::string integerAttribute(std::string_view name, std::int64_t value) {
    return bytesField(1, name) + integerField(3, value) + integerField(20, 2);
  }
  static std::string textAttribute(std::string_view name, std::string_view value) {
    return bytesField(1, name) + bytesField(4, value) + integerField(20, 3);
  }
  static std::string listAttribute(std::string_view name, const std::vector<std::int64_t>& values) {
    std::string attribute = bytesField(1, name);
    for (const std::int64_t value : values) {
      attribute += integerField(8, value);
    }
    return attribute + integerField(20, 7);
  }
  static std::string graphAttribute(std::string_view name, std::string_view graph) {
    return bytesField(1, name) + bytesField(6, graph) + integerField(20, 5);
  }

  static std::string nodeMessage(std::string_view op, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs,
                                 const std::vector<std::string>& attributes = {},
                                 std::string_view name = "node", std::string_view domain = "") {
    std::string message;
    for (const std::string& input : inputs) {
      message += bytesField(1, input);
    }
    for (const std::string& output : outputs) {
      message += bytesField(2, output);
    }
    message += bytesField(3, name) + bytesField(4, op);
    for (const std::string& attribute : attributes) {
      message += bytesField(5, attribute);
    }
    return domain.empty() ? message : message + bytesField(7, domain);
  }

  static std::string tensorMessage(std::string_view name, int type,
                                   const std::vector<std::int64_t>& shape,
                                   std::string_view elements) {
    std::string message;
    for (const std::int64_t size : shape) {
      message += integerField(1, size);
    }
    return message + integerField(2, type) + bytesField(8, name) + bytesField(9, elements);
  }

  OnnxBuilder& node(std::string_view op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs,
                    const std::vector<std::string>& attributes = {}, std::string_view name = "node",
                    std::string_view domain = "") {
    graph_ += bytesField(1, nodeMessage(op, inputs, outputs, attributes, name, domain));
    return *this;
  }
  OnnxBuilder& tensor(std::string_view name, int type, const std::vector<std::int64_t>& shape,
                      std::string_view elements) {
    graph_ += bytesField(5, tensorMessage(name, type, shape, elements));
    return *this;
  }
  OnnxBuilder& graphField(std::uint64_t number, std::string_view message) {
    graph_ += bytesField(number, message);
    return *this;
  }
  /// An input of float32; 0 for a free size.
  OnnxBuilder& input(std::string_view name, const std::vector<std::int64_t>& shape, int type = 1) {
    std::string sizes;
    for (const std::int64_t size : shape) {
      sizes += bytesField(1, size > 0 ? integerField(1, size) : bytesField(2, "n"));
    }
    const std::string tensor_type = integerField(1, type) + bytesField(2, sizes);
    graph_ += bytesField(11, bytesField(1, name) + bytesField(2, bytesField(1, tensor_type)));
    return *this;
  }
  OnnxBuilder& output(std::string_view name) {
    graph_ += bytesField(12, bytesField(1, name));
    return *this;
  }
  OnnxBuilder& property(std::string_view key, std::string_view value) {
    more_ += bytesField(14, bytesField(1, key) + bytesField(2, value));
    return *this;
  }
  [[nodiscard]] const std::string& graph() const { return graph_; }
  [[nodiscard]] std::string bytes(std::int64_t opset = 17) const {
    return integerField(1, 8) + bytesField(2, "pytorch") + bytesField(3, "2.11.0") +
           bytesField(7, graph_) + bytesField(8, bytesField(1, "") + integerField(2, opset)) +
           more_;
  }

 private:
  std::string graph_;
  std::string more_;
};

}  // namespace dubito::test
