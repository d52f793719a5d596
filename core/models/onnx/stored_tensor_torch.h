// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <string>

#include "core/models/onnx/onnx_file.h"

namespace dubito {

/// The type of torch's tensors for a type of ONNX. Throws RefusedOnnx for types that torch does not
/// compute with, among them unsigned integers of more than 8 bits.
[[nodiscard]] at::ScalarType torchTypeOf(OnnxType type);

/// The number of elements. Throws RefusedOnnx for sizes that are negative or overflow.
[[nodiscard]] std::int64_t elementsOf(const OnnxTensor& tensor);

/// Reads stored tensors, also from further files in the folder of an ONNX file.
class StoredTensors {
 public:
  explicit StoredTensors(const OnnxFile& file) : file_(file) {}

  /// A copy of a stored tensor on the CPU. Sizes are checked against the stored bytes before memory
  /// is allocated, and the pages of the file are released. Throws RefusedOnnx.
  [[nodiscard]] at::Tensor read(const OnnxTensor& tensor);

 private:
  std::string_view storedBytes(const OnnxTensor& tensor);
  const MappedFile& external(std::string_view location);

  const OnnxFile& file_;
  std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> external_;
};

}  // namespace dubito
