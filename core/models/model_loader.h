// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

/// Reads one file format. Every loader returns a network with an editable graph, its metadata and
/// its audit.
class ModelLoader {
 public:
  virtual ~ModelLoader() = default;

  /// "TorchScript".
  [[nodiscard]] virtual std::string formatName() const = 0;
  /// Whether the file appears to be of this format, judging by its name and first bytes.
  [[nodiscard]] virtual bool recognises(const std::string& path) const = 0;
  /// See loadModel.
  [[nodiscard]] virtual Expected<ModelPtr> load(const std::string& path,
                                                const LoadModelOptions& options,
                                                RunContext& context) const = 0;
};

/// Loads TorchScript archives. Accepts every file, because it can say what is wrong with those it
/// cannot read, and therefore comes last.
[[nodiscard]] const ModelLoader& torchScriptLoader();

/// All loaders, in the order in which they are tried.
[[nodiscard]] std::vector<const ModelLoader*> modelLoaders();

}  // namespace dubito
