// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dubito {

/// The files in which folders of Hugging Face describe a network: config.json and
/// preprocessor_config.json, next to it or, for "onnx/model.onnx", one folder up. Empty unless the
/// file is named as networks in such folders are ("model.onnx", "model_quantized.onnx").
[[nodiscard]] std::vector<std::string> hubFilesFor(const std::string& model_path);

/// What those files tell of classes and images, in their own keys (translateMetadata).
struct HubDescription {
  nlohmann::json object;
  std::string source;  ///< the files, for messages: "config.json and preprocessor_config.json"
};

/// Nothing if there are no such files, or none that transformers or timm wrote.
[[nodiscard]] std::optional<HubDescription> hubDescriptionFor(const std::string& model_path);

}  // namespace dubito
