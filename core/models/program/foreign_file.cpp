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
  std::size_t offset;      ///< of the bytes that such files begin with
  std::string_view start;  ///< these bytes; empty if there are none in common
  const char* what;
  bool is_network;  ///< one that can be saved in another way
};

constexpr const char* kTable =
    "this is a table, not a network; if these are saved predictions, make a run of them "
    "(dubito-cli convert FILE -o RUN.npz) and give the run";

constexpr std::array<ForeignKind, 9> kKinds = {{
    {{".npy", "", "", ""}, 0, "\x93NUMPY", kArraysInsteadOfNetwork, false},
    {{".csv", ".tsv", ".jsonl", ""}, 0, "", kTable, false},
    {{".pte", "", "", ""},
     4,
     "ET12",
     "this is a program of ExecuTorch, compiled for phones, without the network's graph; ",
     true},
    {{".safetensors", "", "", ""},
     0,
     "",
     "this contains only weights, not the network; load them into the network and ",
     true},
    {{".h5", ".hdf5", ".keras", ""},
     0,
     "\x89HDF",
     "this is a Keras or HDF5 file; convert the network to PyTorch, and ",
     true},
    {{".tflite", "", "", ""},
     4,
     "TFL3",
     "this is a TensorFlow Lite file; convert the network to PyTorch, and ",
     true},
    {{".pb", ".mlmodel", "", ""},
     0,
     "",
     "this is a network of another library (TensorFlow or Core ML); convert it to PyTorch, and ",
     true},
    {{".engine", ".plan", ".trt", ""},
     0,
     "ftrt",
     "this is an engine of TensorRT, compiled for one GPU, without the network's graph; ",
     true},
    {{".json", ".yaml", ".yml", ""},
     0,
     "",
     "this describes something, but is not a network; give the file of the network",
     false},
}};

}  // namespace

std::string kindOfForeignFile(const std::string& path, const std::string& start) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  constexpr std::size_t kLengthBytes = 8;  // of the header, before it
  if (start.size() > kLengthBytes && start[kLengthBytes] == '{') {
    ending = ".safetensors";
  }
  for (const ForeignKind& kind : kKinds) {
    const bool is_named =
        !ending.empty() && std::ranges::find(kind.endings, ending) != kind.endings.end();
    const bool begins_so = !kind.start.empty() && start.size() >= kind.offset + kind.start.size() &&
                           start.compare(kind.offset, kind.start.size(), kind.start) == 0;
    if (is_named || begins_so) {
      return std::string(kind.what) + (kind.is_network ? kHowToSaveNetwork : "");
    }
  }
  return {};
}

std::string kindOfForeignFolder(const std::string& path) {
  const std::filesystem::path folder(path);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(folder / "saved_model.pb", ignored)) {
    return std::string("this is a folder of TensorFlow; convert the network to PyTorch, and ") +
           kHowToSaveNetwork;
  }
  if (std::filesystem::is_regular_file(folder / "config.json", ignored)) {
    return std::string(
               "this is a folder of Hugging Face, which contains only weights and their "
               "configuration; load it with from_pretrained, and ") +
           kHowToSaveNetwork;
  }
  return {};
}

}  // namespace dubito
