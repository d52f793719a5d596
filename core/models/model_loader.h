// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

/// Reads one file format of networks. What comes out is the same for all of them: a network whose
/// graph can be edited, with its metadata and audit.
class ModelLoader {
 public:
  virtual ~ModelLoader() = default;

  /// "TorchScript".
  [[nodiscard]] virtual std::string formatName() const = 0;
  /// Whether the file is of this format, as far as its name and first bytes tell.
  [[nodiscard]] virtual bool recognises(const std::string& path) const = 0;
  /// See loadModel.
  [[nodiscard]] virtual Expected<ModelPtr> load(const std::string& path,
                                                const LoadModelOptions& options,
                                                RunContext& context) const = 0;
};

/// TorchScript archives. It recognises every file, because it can say what those are that it cannot
/// read, and so comes last.
[[nodiscard]] const ModelLoader& torchScriptLoader();

/// All loaders, in the order in which they are asked.
[[nodiscard]] std::vector<const ModelLoader*> modelLoaders();

}  // namespace dubito
