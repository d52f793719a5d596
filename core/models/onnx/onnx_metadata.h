// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/models/onnx/onnx_file.h"

namespace dubito {

/// The metadata in the properties of a file as JSON: our own, whole, or an object of the properties
/// that other programs (Ultralytics, timm, Hugging Face) use. Empty if there are none.
[[nodiscard]] std::string metadataJson(const OnnxFile& file);

/// "by pytorch 2.11.0 (opset 18)".
[[nodiscard]] std::string writtenBy(const OnnxFile& file);

}  // namespace dubito
