// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/program/foreign_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace dubito {
namespace {

struct ForeignKind {
  std::array<std::string_view, 4> endings;
  std::string_view start;
  const char* what;
};

constexpr const char* kTable =
    "this is a table, not a network; if these are saved predictions, make a run of them "
    "(dubito-cli convert FILE -o RUN.npz) and give the run";

constexpr std::array<ForeignKind, 6> kKinds = {{
    {{".npy", "", "", ""}, "\x93NUMPY", kArraysInsteadOfNetwork},
    {{".csv", ".tsv", ".jsonl", ""}, "", kTable},
    {{".safetensors", "", "", ""},
     "",
     "this contains only weights, not the network; load them into the network and save that with "
     "torch.jit.script(model.eval()).save(FILE)"},
    {{".h5", ".hdf5", ".keras", ""},
     "\x89HDF",
     "this is a Keras or HDF5 file; only networks in TorchScript can be opened, so convert it to "
     "PyTorch first"},
    {{".tflite", ".pb", "", ""},
     "",
     "this is a TensorFlow file; only networks in TorchScript can be opened, so convert it to "
     "PyTorch first"},
    {{".json", ".yaml", ".yml", ""},
     "",
     "this describes something, but is not a network; give the TorchScript file"},
}};

}  // namespace

std::string kindOfForeignFile(const std::string& path, const std::string& start) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  for (const ForeignKind& kind : kKinds) {
    const bool is_named =
        !ending.empty() && std::ranges::find(kind.endings, ending) != kind.endings.end();
    const std::string_view begins = kind.start.substr(0, start.size());
    if (is_named || (!begins.empty() && start.starts_with(begins))) {
      return kind.what;
    }
  }
  return {};
}

}  // namespace dubito
