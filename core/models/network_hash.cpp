// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/network_hash.h"

#include <regex>

#include "core/kernels/number_hash.h"
#include "core/models/model_torch.h"

namespace dubito {

std::string networkHash(const Model& model) {
  NumberHash hash;
  hash.add(parameterHash(model));
  // Warnings are numbered through all that a process loads; the number is no part of the network.
  static const std::regex kWarning("warn_id=[0-9]+");
  hash.add(std::regex_replace(
      model.impl().network.graph->toString(/*print_source_locations=*/false), kWarning, "warn_id"));
  return hash.hex();
}

}  // namespace dubito
