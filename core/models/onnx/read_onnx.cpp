// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/in_quotes.h"
#include "core/base/lower_case.h"
#include "core/models/onnx/onnx_file.h"
#include "core/models/onnx/onnx_input.h"
#include "core/models/onnx/onnx_metadata.h"
#include "core/models/onnx/read_onnx_torch.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/stored_tensor_torch.h"
#include "core/models/onnx/translated_network_torch.h"
#include "core/models/program/program_check_torch.h"
#include "core/models/program/torch_reason.h"

namespace dubito {
namespace {

/// Whether values are quantised by their range in a batch, as after quantize_dynamic.
bool quantisesByBatch(const OnnxFile& file) {
  const auto is_dynamic = [](const OnnxNode& node) {
    return node.op == "DynamicQuantizeLinear" || node.op == "DynamicQuantizeMatMul";
  };
  return std::ranges::any_of(file.graph.nodes, is_dynamic) ||
         std::ranges::any_of(file.functions, [&](const OnnxFunction& function) {
           return std::ranges::any_of(function.nodes, is_dynamic);
         });
}

void addNotes(const OnnxFile& onnx, const OnnxInput& input, const TranslatedNetwork& network,
              NetworkFile& file) {
  if (file.input.batch == 0 && input.batch > 0) {
    file.notes.push_back(
        fmt::format("The file states a batch size of {}, but its program takes any", input.batch));
  }
  if (input.has_channels_last) {
    file.run_notes.emplace_back(
        "Its input has the channels last ([N, H, W, C], as in TensorFlow): images are rearranged "
        "from [N, C, H, W]");
  }
  if (quantisesByBatch(onnx)) {
    file.run_notes.emplace_back(
        "Values are quantised by their range in the whole batch (dynamic quantisation), so results "
        "depend on the other items of a batch");
  }
  if (network.is_in_training_mode) {
    file.run_notes.emplace_back(
        "Exported in training mode: its normalisation uses the stored statistics and its "
        "dropout is off unless a method draws it, as after model.eval()");
  }
}

/// The inputs as the file states them.
std::vector<StatedTensor> statedTensors(const OnnxGraph& graph) {
  std::vector<StatedTensor> tensors;
  for (const OnnxValueInfo& info : inputsOf(graph)) {
    StatedTensor& tensor = tensors.emplace_back();
    tensor.name = info.name;
    tensor.type = c10::toString(torchTypeOf(info.type));
    for (const OnnxSize& size : info.shape.value_or(std::vector<OnnxSize>())) {
      tensor.shape.push_back(std::max<std::int64_t>(size.size, 0));
    }
  }
  return tensors;
}

NetworkFile readMapped(const std::string& path, std::shared_ptr<const MappedFile> mapped) {
  const OnnxFile file = parseOnnx(path, std::move(mapped));
  const OnnxInput input = classifierInput(file.graph);
  TranslatedNetwork network =
      translateNetwork(file, {.has_free_batch = true,
                              .keeps_scores_only = true,
                              .takes_channels_last = input.has_channels_last});
  NetworkFile read;
  read.input.item_shape = input.item_shape;
  read.inputs = statedTensors(file.graph);
  read.input.batch = network.has_sizes_of_batch ? input.batch : 0;
  read.metadata_json = metadataJson(file);
  read.written_by = writtenBy(file);
  addNotes(file, input, network, read);
  read.module = std::move(network.module);
  read.module.eval();
  return read;
}

}  // namespace

bool recognisesOnnx(const std::string& path) {
  if (isOnnx(path)) {
    return true;
  }
  if (lowerCaseEnding(path) != ".onnx") {
    return false;
  }
  // Another kind of file under this name is reported by what it is.
  std::ifstream stream(path, std::ios::binary);
  const int first = stream.get();
  constexpr int kZip = 'P';
  constexpr int kPickle = 0x80;
  return first >= 0 && first != kZip && first != kPickle;
}

Expected<NetworkFile> readOnnx(const std::string& path) {
  auto mapped = MappedFile::open(path);
  if (!mapped) {
    return failWith(mapped);
  }
  const auto refused = [&path](ErrorCode code, const std::string& reason) {
    return fail(code, fmt::format("{}: {}", path, reason));
  };
  try {
    return readMapped(path, *std::move(mapped));
  } catch (const RefusedOnnx& reason) {
    return refused(reason.code(), reason.what());
  } catch (const RefusedProgram& reason) {
    return refused(ErrorCode::kUnsupported,
                   fmt::format("its translation contains {}, which a network may not; export it "
                               "without that",
                               shownText(reason.what(), 200)));
  } catch (const std::bad_alloc&) {
    return refused(ErrorCode::kOutOfMemory,
                   "there is not enough memory for its weights; close other programs");
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: its graph cannot be translated ({}); check it in Python with "
                            "onnx.checker.check_model(FILE, full_check=True), and export it again",
                            path, torchReason(exception)),
                exception.what());
  }
}

}  // namespace dubito
