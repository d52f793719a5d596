// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/mapped_file.h"

namespace dubito {

// The contents of an ONNX file. Texts and weights are views of the mapped file.

/// Types of elements, by ONNX's numbers.
enum class OnnxType : std::int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
};

/// "float16"; "type 22" for types that are not supported.
[[nodiscard]] std::string nameOf(OnnxType type);
/// Bytes per element; 0 for types that are not supported.
[[nodiscard]] std::size_t bytesOf(OnnxType type);

struct OnnxTensor {
  std::string_view name;
  OnnxType type = OnnxType::kUndefined;
  std::vector<std::int64_t> shape;
  std::string_view bytes;  ///< elements, little-endian, if stored as bytes
  std::string converted;   ///< the same, if they were stored as numbers
  bool is_converted = false;
  /// File with the elements, in the folder of the ONNX file; empty if they are in that file.
  std::string_view location;
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;
};

struct OnnxGraph;

struct OnnxAttribute {
  std::string_view name;
  bool is_reference = false;  ///< to an attribute of the function in which the node is
  std::string_view reference;
  std::optional<float> number;
  std::optional<std::int64_t> integer;
  std::optional<std::string_view> text;
  std::vector<float> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> texts;
  std::shared_ptr<const OnnxTensor> tensor;
  std::shared_ptr<const OnnxGraph> graph;
};

struct OnnxNode {
  std::string_view op;
  std::string_view domain;
  std::string_view name;
  std::string_view scopes;               ///< modules in which PyTorch called it, as Python text
  std::vector<std::string_view> inputs;  ///< empty text: not given
  std::vector<std::string_view> outputs;
  std::vector<OnnxAttribute> attributes;
};

struct OnnxSize {
  std::int64_t size = -1;  ///< -1: any
  std::string_view name;   ///< of a free size
};

/// Input or output of a graph.
struct OnnxValueInfo {
  std::string_view name;
  bool is_tensor = false;
  OnnxType type = OnnxType::kUndefined;
  std::optional<std::vector<OnnxSize>> shape;
};

struct OnnxGraph {
  std::vector<OnnxNode> nodes;
  std::vector<std::shared_ptr<const OnnxTensor>> initializers;
  std::vector<OnnxValueInfo> inputs;
  std::vector<OnnxValueInfo> outputs;
};

/// A function of the file, which its nodes call like an operator.
struct OnnxFunction {
  std::string_view name;
  std::string_view domain;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<OnnxNode> nodes;
  std::map<std::string_view, std::int64_t> opsets;
};

struct OnnxFile {
  std::string path;
  std::shared_ptr<const MappedFile> mapped;
  std::int64_t ir_version = 0;
  std::string_view producer;
  std::string_view producer_version;
  std::map<std::string_view, std::int64_t> opsets;  ///< by domain; "" is ONNX itself
  std::map<std::string_view, std::string_view> metadata;
  OnnxGraph graph;
  std::vector<OnnxFunction> functions;
};

/// Whether the contents of a file are those of an ONNX file: a protobuf message whose fields are
/// those of a model with a graph. Reads little more than the sizes of its parts.
[[nodiscard]] bool isOnnx(const std::string& path);

/// Parses one tensor, such as the inputs and outputs of ONNX's tests. Throws RefusedOnnx.
[[nodiscard]] OnnxTensor parseOnnxTensor(std::string_view message);

/// Parses a file; the weights are not read. Throws RefusedOnnx for damaged files, and for more
/// objects or deeper nesting than any network needs.
[[nodiscard]] OnnxFile parseOnnx(const std::string& path, std::shared_ptr<const MappedFile> mapped);

}  // namespace dubito
