// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// A tensor that a network takes, as its file states it.
struct StatedTensor {
  std::string name;
  std::vector<std::int64_t> shape;  ///< with items first; 0: any size; empty: not stated
  std::string type;                 ///< of the elements: "Float"; empty: not stated
};

/// The tensors as text: "'ids' [any, 7] Long, 'mask' [any, 7] Float".
[[nodiscard]] std::string describe(const std::vector<StatedTensor>& tensors);

/// What a file states about the input of its network.
struct StatedInput {
  /// Shape of one item; 0 for an axis of any size; empty if the file does not state it.
  std::vector<std::int64_t> item_shape;
  /// Shape of one item of the example that the file was made with; empty if unknown.
  std::vector<std::int64_t> example_shape;
  std::int64_t batch = 0;  ///< the only number of items that the program takes; 0: any, or unknown
};

/// What a reader makes of a network file.
struct NetworkFile {
  torch::jit::Module module;  ///< on the CPU, in eval mode
  std::string metadata_json;  ///< metadata.json of the archive; empty if absent
  std::string written_by;     ///< what the file reveals about the program that wrote it
  StatedInput input;
  std::vector<StatedTensor> inputs;    ///< all tensors that the network takes, in order
  std::vector<std::string> notes;      ///< further findings about the file, as sentences
  std::vector<std::string> run_notes;  ///< the findings that concern results
};

}  // namespace dubito
