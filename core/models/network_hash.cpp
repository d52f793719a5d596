// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/network_hash.h"

#include "core/kernels/number_hash.h"
#include "core/models/model_torch.h"

namespace dubito {

std::string networkHash(const Model& model) {
  NumberHash hash;
  hash.add(parameterHash(model));
  hash.add(model.impl().network.graph->toString(/*print_source_locations=*/false));
  return hash.hex();
}

}  // namespace dubito
