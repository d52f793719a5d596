// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

/// Loads models of one file format. Every loader returns a network with an editable graph, its
/// metadata and its audit.
class ModelLoader {
 public:
  virtual ~ModelLoader() = default;

  /// Name for display: "TorchScript".
  [[nodiscard]] virtual std::string formatName() const = 0;
  /// Whether the file appears to be of this format, judging by its name and first bytes.
  [[nodiscard]] virtual bool recognises(const std::string& path) const = 0;
  /// See loadModel.
  [[nodiscard]] virtual Expected<ModelPtr> load(const std::string& path,
                                                const LoadModelOptions& options,
                                                RunContext& context) const = 0;
};

/// Loads TorchScript archives. Tried last, because it accepts every file: if it cannot read one, it
/// reports what is wrong with the file.
[[nodiscard]] const ModelLoader& torchScriptLoader();

/// All loaders, in the order in which they are tried.
[[nodiscard]] std::vector<const ModelLoader*> modelLoaders();

}  // namespace dubito
