// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/models/model_loader.h"

namespace dubito {

std::vector<const ModelLoader*> modelLoaders() {
  return {&torchScriptLoader()};
}

Expected<ModelPtr> loadModel(const std::string& path, const LoadModelOptions& options,
                             RunContext& context) {
  for (const ModelLoader* const loader : modelLoaders()) {
    if (loader->recognises(path)) {
      return loader->load(path, options, context);
    }
  }
  return fail(
      ErrorCode::kUnsupported,
      fmt::format("{}: no loader knows this format; export the network to TorchScript", path));
}

}  // namespace dubito
