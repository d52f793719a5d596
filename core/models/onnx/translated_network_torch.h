// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "core/models/onnx/onnx_file.h"

namespace dubito {

struct TranslationOptions {
  /// Sizes of the first axes are those of the example that the network was exported with: the
  /// program computes them from its input instead.
  bool has_free_batch = true;
  /// Results that are not numbers of classes (the label next to the probabilities) are left out.
  bool keeps_scores_only = true;
  bool takes_channels_last = false;  ///< the input is permuted from [N, C, H, W] first
};

/// An ONNX network as a module.
struct TranslatedNetwork {
  torch::jit::Module module;
  std::string source;                ///< the program text, for messages and tests
  bool has_sizes_of_batch = false;   ///< may only take as many items as its example had
  bool is_in_training_mode = false;  ///< exported in training mode
};

/// The inputs of a graph that are not weights.
[[nodiscard]] std::vector<OnnxValueInfo> inputsOf(const OnnxGraph& graph);

/// Translates the graph of a file into a module: its `forward` takes the inputs of the graph and
/// returns its result, or a tuple of several. Throws RefusedOnnx for what is not supported, and
/// RefusedProgram if the translation contains an operator that no network file may contain.
[[nodiscard]] TranslatedNetwork translateNetwork(const OnnxFile& file,
                                                 const TranslationOptions& options);

}  // namespace dubito
