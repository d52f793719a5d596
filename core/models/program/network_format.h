// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

struct NetworkFile;  // in network_file_torch.h

/// A file format of networks. Every format is read into the same kind of graph, so that nothing
/// else depends on where a network comes from.
struct NetworkFormat {
  std::string_view name;                  ///< "TorchScript"
  std::vector<std::string_view> endings;  ///< of file names, in lower case: ".pt"
  /// How to make a file that takes any number of items, as the end of a sentence.
  std::string_view how_to_free_batch;
  /// How to keep what only training mode draws, as the end of a sentence.
  std::string_view how_to_keep_dropout;
  std::string_view python_call;       ///< that runs a file, without its argument
  bool has_separate_weights = false;  ///< exporters may write large weights into further files
  /// Whether the file appears to be of this format, judging by its contents.
  bool (*recognises)(const std::string& path);
  /// Reads a file. Fails, stating the reason and a remedy, for files that are damaged, not of this
  /// format, or contain what a network file must not contain.
  Expected<NetworkFile> (*read)(const std::string& path);
};

/// All formats, in the order in which they are tried. The last one recognises every file: if it
/// cannot read one, it reports what is wrong with it.
[[nodiscard]] std::span<const NetworkFormat> networkFormats();

/// The endings of all formats.
[[nodiscard]] std::vector<std::string_view> networkEndings();

/// The formats for people: "exported program (.pt2) or TorchScript (.pt)".
[[nodiscard]] std::string networkFormatsText();

/// The format with this name, or the last one.
[[nodiscard]] const NetworkFormat& formatNamed(std::string_view name);

/// The files in the folder of a network that may hold its weights, by their names, such as
/// "NET.onnx.data", "weights.bin" or "layer1.0.conv1.weight"; empty for formats that have none.
[[nodiscard]] std::vector<std::string> weightFilesNextTo(const std::string& path);

/// The format of a file.
[[nodiscard]] const NetworkFormat& formatOf(const std::string& path);

}  // namespace dubito
