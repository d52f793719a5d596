// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "core/models/exported/exported_archive_torch.h"
#include "core/models/exported/exported_reader_torch.h"
#include "core/models/onnx/read_onnx_torch.h"
#include "core/models/program/network_file_torch.h"
#include "core/models/program/network_format.h"
#include "core/models/torchscript/torchscript_archive_torch.h"

namespace dubito {

std::span<const NetworkFormat> networkFormats() {
  static const std::vector<NetworkFormat> formats = {
      {.name = "exported program",
       .endings = {".pt2"},
       .how_to_free_batch =
           "export it with torch.export.export(model.eval(), (x,), dynamic_shapes=({0: "
           "torch.export.Dim.DYNAMIC},)), where x has at least two items, for any number",
       .how_to_keep_dropout = "model.train() before torch.export.export keeps it",
       .python_call = "torch.export.load(FILE).module()",
       .recognises = isExportedArchive,
       .read = readExported},
      {.name = "ONNX",
       .endings = {".onnx"},
       .how_to_free_batch =
           "export it with torch.onnx.export(model.eval(), (x,), FILE, dynamo=True, "
           "dynamic_shapes=({0: "
           "torch.export.Dim.DYNAMIC},)), where x has at least two items, for any number",
       .how_to_keep_dropout =
           "torch.onnx.export(model, ..., dynamo=False, training=torch.onnx.TrainingMode.PRESERVE, "
           "do_constant_folding=False) after model.train() keeps it",
       .python_call = "onnxruntime.InferenceSession(FILE).run",
       .has_separate_weights = true,
       .recognises = recognisesOnnx,
       .read = readOnnx},
      {.name = "TorchScript",
       .endings = {".pt", ".ptl", ".pth", ".ts", ".torchscript"},
       .how_to_free_batch = "a program from torch.jit.script, or one that takes sizes from "
                            "x.size(0), has no such limit",
       .how_to_keep_dropout = "export it with torch.jit.script, or trace it in training mode, to "
                              "keep it",
       .python_call = "torch.jit.load(FILE)",
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

std::string networkFormatsText() {
  std::string text;
  const std::span<const NetworkFormat> formats = networkFormats();
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const char* const between = i == 0 ? "" : (i + 1 == formats.size() ? " or " : ", ");
    text += fmt::format("{}{} ({})", between, formats[i].name, formats[i].endings.front());
  }
  return text;
}

const NetworkFormat& formatNamed(std::string_view name) {
  const auto found = std::ranges::find(networkFormats(), name, &NetworkFormat::name);
  return found == networkFormats().end() ? networkFormats().back() : *found;
}

namespace {

/// Whether a file next to a network may hold weights of it: named after it ("net.onnx.data",
/// "net_weights"), with an ending for raw numbers, or one tensor as exporters name it.
bool mayHoldWeights(const std::string& name, const std::string& stem) {
  const bool is_of_network = name.size() > stem.size() && name.starts_with(stem) &&
                             (name[stem.size()] == '.' || name[stem.size()] == '_');
  constexpr std::array<std::string_view, 8> kRaw = {".bin",  ".data",   ".dat",       ".raw",
                                                    ".bias", ".weight", ".onnx_data", ".weights"};
  return is_of_network || name.starts_with("onnx__") ||
         std::ranges::any_of(kRaw, [&name](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

std::vector<std::string> weightFilesNextTo(const std::string& path) {
  const std::filesystem::path network(path);
  const std::string ending = network.extension().string();
  if (std::ranges::none_of(networkFormats(), [&ending](const NetworkFormat& format) {
        return format.has_separate_weights &&
               std::ranges::find(format.endings, ending) != format.endings.end();
      })) {
    return {};
  }
  const std::string stem = network.stem().string();
  const std::filesystem::path folder = network.has_parent_path() ? network.parent_path() : ".";
  std::vector<std::string> files;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code ignored;
    if (mayHoldWeights(entry->path().filename().string(), stem) &&
        entry->symlink_status(ignored).type() == std::filesystem::file_type::regular) {
      files.push_back(entry->path().string());
    }
  }
  return files;
}

const NetworkFormat& formatOf(const std::string& path) {
  return *std::ranges::find_if(
      networkFormats(), [&path](const NetworkFormat& format) { return format.recognises(path); });
}

}  // namespace dubito
