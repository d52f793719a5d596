// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model.h"

#include "core/models/model_torch.h"

namespace dubito {

Model::Model(ModelMetadata metadata, ModelAudit audit, std::string path, std::shared_ptr<Impl> impl)
    : metadata_(std::move(metadata)),
      audit_(std::move(audit)),
      path_(std::move(path)),
      impl_(std::move(impl)) {}

Model::~Model() = default;

std::uint64_t parameterHash(const Model& model) {
  return hashOfState(model.impl().module);
}

}  // namespace dubito
