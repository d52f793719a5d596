// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/models/model_loader.h"

namespace dubito {

std::vector<Field> LoadModelOptions::fields() {
  return {{{.name = "metadata",
            .label = "Metadata",
            .help = "JSON file with the model's metadata, in place of what it carries"},
           &metadata_path},
          {{.name = "output_key",
            .label = "Output",
            .help = "which of several tensors that the network returns has the class scores: its "
                    "name or position"},
           &output_key}};
}

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
