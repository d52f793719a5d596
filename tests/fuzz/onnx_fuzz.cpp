// SPDX-License-Identifier: GPL-3.0-or-later
// ONNX files: a network whose program has nothing of the file's text, or one readable refusal.
// Parses and translates, as opening does; nothing runs but constants.
#include "core/models/onnx/read_onnx_torch.h"
#include "core/models/program/network_file_torch.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dubito;
  const std::string path = fuzz::scratchFile(data, size, ".onnx");
  if (const auto file = readOnnx(path)) {
    fuzz::expect(file->module.find_method("forward").has_value(), "a network can be called");
    fuzz::expect(!file->module.is_training(), "a network is in eval mode");
  } else {
    fuzz::expectReadable(file.error(), path);
  }
  return 0;
}
