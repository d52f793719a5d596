// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/models/onnx/onnx_file.h"

namespace dubito {

/// Counts the parts of a file: nodes, attributes, tensors and the like.
class ObjectCount {
 public:
  /// Throws RefusedOnnx for more parts than any network needs.
  void add();

 private:
  std::int64_t count_ = 0;
};

/// Key and value of an entry of a message.
[[nodiscard]] std::pair<std::string_view, std::string_view> entryFrom(std::string_view message);

/// Parses a tensor; elements that are stored as bytes are not copied. Throws RefusedOnnx.
[[nodiscard]] OnnxTensor tensorFrom(std::string_view message, ObjectCount& count);

}  // namespace dubito
