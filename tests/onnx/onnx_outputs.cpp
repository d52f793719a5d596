// SPDX-License-Identifier: GPL-3.0-or-later
// Runs ONNX files through the reader, for run_onnx_suites.py. Each line of the standard input has
// three paths, separated by tabs: MODEL.onnx, a folder with its inputs input_0.pb, input_1.pb, ...,
// and a folder for its outputs output_0.bin, ... Prints one line per model: "ok", or why not.
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/stored_tensor_torch.h"
#include "core/models/onnx/translated_network_torch.h"

namespace {

using namespace dubito;

std::string contentsOf(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<c10::IValue> readInputs(const std::filesystem::path& folder, std::size_t count,
                                    const OnnxFile& file) {
  std::vector<c10::IValue> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string bytes = contentsOf(folder / fmt::format("input_{}.pb", i));
    inputs.emplace_back(StoredTensors(file).read(parseOnnxTensor(bytes)));
  }
  return inputs;
}

/// The type and the sizes as a line of text, then the elements.
void writeOutput(const std::filesystem::path& path, const at::Tensor& output) {
  const at::Tensor whole = output.detach().to(at::kCPU).contiguous();
  std::ofstream stream(path, std::ios::binary);
  stream << fmt::format("{} {}\n", c10::toString(whole.scalar_type()),
                        fmt::join(whole.sizes(), " "));
  stream.write(static_cast<const char*>(whole.const_data_ptr()),
               static_cast<std::streamsize>(whole.nbytes()));
}

void run(const std::string& model, const std::string& inputs, const std::string& outputs) {
  auto mapped = MappedFile::open(model);
  if (!mapped) {
    throw std::runtime_error(mapped.error().message);
  }
  const OnnxFile file = parseOnnx(model, *std::move(mapped));
  TranslatedNetwork network =
      translateNetwork(file, {.has_free_batch = false, .keeps_scores_only = false});
  if (std::getenv("ONNX_OUTPUTS_SOURCE") != nullptr) {
    std::cerr << network.source;
  }
  const at::NoGradGuard no_gradients;
  network.module.eval();
  const c10::IValue result =
      network.module.forward(readInputs(inputs, inputsOf(file.graph).size(), file));
  std::filesystem::create_directories(outputs);
  std::size_t i = 0;
  const auto write = [&](const c10::IValue& value) {
    writeOutput(std::filesystem::path(outputs) / fmt::format("output_{}.bin", i++),
                value.toTensor());
  };
  if (result.isTuple()) {
    std::ranges::for_each(result.toTupleRef().elements(), write);
  } else {
    write(result);
  }
}

std::string oneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

int main() {
  torch::jit::getProfilingMode() = false;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream parts(line);
    std::string model;
    std::string inputs;
    std::string outputs;
    std::getline(parts, model, '\t');
    std::getline(parts, inputs, '\t');
    std::getline(parts, outputs, '\t');
    std::string answer = "ok";
    try {
      run(model, inputs, outputs);
    } catch (const RefusedOnnx& refused) {
      answer = "refused: " + oneLine(refused.what());
    } catch (const std::exception& exception) {
      answer = "failed: " + oneLine(exception.what());
    }
    std::cout << answer << std::endl;
  }
}
