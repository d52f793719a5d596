// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/models/onnx/read_onnx_torch.h"
#include "core/models/program/network_file_torch.h"
#include "core/models/program/network_format.h"
#include "core/models/torchscript/torchscript_archive_torch.h"

namespace dubito {

std::span<const NetworkFormat> networkFormats() {
  static const std::vector<NetworkFormat> formats = {
      {.name = "ONNX", .endings = {".onnx"}, .recognises = recognisesOnnx, .read = readOnnx},
      {.name = "TorchScript",
       .endings = {".pt", ".ptl", ".pth", ".ts", ".torchscript"},
       .recognises = [](const std::string&) { return true; },
       .read = openTorchScript}};
  return formats;
}

std::vector<std::string_view> networkEndings() {
  std::vector<std::string_view> endings;
  for (const NetworkFormat& format : networkFormats()) {
    endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  return endings;
}

const NetworkFormat& formatOf(const std::string& path) {
  return *std::ranges::find_if(
      networkFormats(), [&path](const NetworkFormat& format) { return format.recognises(path); });
}

}  // namespace dubito
