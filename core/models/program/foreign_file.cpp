// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "core/base/lower_case.h"
#include "core/models/program/export_lines.h"
#include "core/models/program/hub_configuration.h"

namespace dubito {
namespace {

struct ForeignKind {
  std::array<std::string_view, 4> endings;
  std::size_t offset;      ///< of the bytes that such files begin with
  std::string_view start;  ///< these bytes; empty if there are none in common
  std::string_view what;
  std::optional<HeldNetwork> held;  ///< how it can be exported in another way, if at all
};

constexpr std::string_view kTable =
    "this is a table, not a network; if these are saved predictions, make a run of them "
    "(dubito-cli convert FILE -o RUN.npz) and give the run";

constexpr std::array<ForeignKind, 11> kKinds = {{
    {{".npy", "", "", ""}, 0, "\x93NUMPY", kArraysInsteadOfNetwork, std::nullopt},
    {{".csv", ".tsv", ".jsonl", ""}, 0, "", kTable, std::nullopt},
    {{".pte", "", "", ""},
     4,
     "ET12",
     "this is a program of ExecuTorch, compiled for phones, without the network's graph",
     HeldNetwork::kWithoutItsSource},
    {{".safetensors", "", "", ""},
     0,
     "",
     "this contains only weights, not the network",
     HeldNetwork::kSafetensors},
    {{".h5", ".hdf5", ".keras", ""},
     0,
     "\x89HDF",
     "this is a Keras or HDF5 file",
     HeldNetwork::kKeras},
    {{".tflite", "", "", ""},
     4,
     "TFL3",
     "this is a TensorFlow Lite file",
     HeldNetwork::kTensorFlowLite},
    {{".pb", "", "", ""}, 0, "", "this is a graph of TensorFlow", HeldNetwork::kWithoutItsSource},
    {{".mlmodel", ".mlpackage", "", ""},
     0,
     "",
     "this is a network of Core ML",
     HeldNetwork::kWithoutItsSource},
    {{".engine", ".plan", ".trt", ""},
     0,
     "ftrt",
     "this is an engine of TensorRT, compiled for one GPU, without the network's graph",
     HeldNetwork::kWithoutItsSource},
    {{".pdmodel", ".pdiparams", ".gguf", ".ggml"},
     0,
     "GGUF",
     "this is a network of another library",
     HeldNetwork::kWithoutItsSource},
    {{".json", ".yaml", ".yml", ""},
     0,
     "",
     "this describes something, but is not a network; give the file of the network",
     std::nullopt},
}};

std::optional<Error> errorOf(const std::string& path, std::string_view what,
                             std::optional<HeldNetwork> held) {
  return held ? refuseHeld(path, std::string(what), *held).value()
              : Error{ErrorCode::kUnsupported, path + ": " + std::string(what)};
}

bool isFile(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

bool isNamed(const ForeignKind& kind, const std::string& ending) {
  return !ending.empty() && std::ranges::find(kind.endings, ending) != kind.endings.end();
}

}  // namespace

std::optional<Error> foreignFileError(const std::string& path, const std::string& start) {
  std::string ending = lowerCaseEnding(path);
  constexpr std::size_t kLengthBytes = 8;  // of the header, before it
  if (start.size() > kLengthBytes && start[kLengthBytes] == '{') {
    ending = ".safetensors";
  }
  for (const ForeignKind& kind : kKinds) {
    const bool begins_so = !kind.start.empty() && start.size() >= kind.offset + kind.start.size() &&
                           start.compare(kind.offset, kind.start.size(), kind.start) == 0;
    if (isNamed(kind, ending) || begins_so) {
      return errorOf(path, kind.what, kind.held);
    }
  }
  return std::nullopt;
}

std::optional<Error> foreignFolderError(const std::string& path) {
  const std::filesystem::path folder(path);
  if (isFile(folder / "saved_model.pb")) {
    return errorOf(path, "this is a folder of TensorFlow", HeldNetwork::kTensorFlow);
  }
  const auto writer = writerOf(hubObjectIn((folder / "config.json").string()));
  if (!writer) {
    return std::nullopt;
  }
  const bool of_timm = *writer == HubWriter::kTimm;
  return errorOf(path,
                 fmt::format("this is a folder of {}, which contains only weights and their "
                             "configuration",
                             of_timm ? "timm" : "Hugging Face"),
                 of_timm ? HeldNetwork::kTimm : HeldNetwork::kHuggingFace);
}

bool isForeignNetwork(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return foreignFolderError(path).has_value();
  }
  const std::string ending = lowerCaseEnding(path);
  return std::ranges::any_of(
      kKinds, [&ending](const ForeignKind& kind) { return kind.held && isNamed(kind, ending); });
}

}  // namespace dubito
