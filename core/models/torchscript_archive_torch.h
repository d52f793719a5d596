// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// What a TorchScript file holds.
struct TorchScriptArchive {
  torch::jit::Module module;  ///< on the processor, in eval mode
  std::string metadata_json;  ///< metadata.json of the archive, empty where there is none
  std::string torch_version;  ///< as far as the archive tells
};

/// Reads a TorchScript file. Whatever else it is (a state_dict, a pickled module, an archive for
/// the lite interpreter, an exported program, cut short, no zip file) is said in the error.
[[nodiscard]] Expected<TorchScriptArchive> openTorchScript(const std::string& path);

}  // namespace dubito
