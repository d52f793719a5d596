// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/data/dataset.h"
#include "core/models/model.h"

namespace dubito {

/// True classes of a dataset in the model's numbering.
struct ModelLabels {
  std::vector<std::int64_t> labels;  ///< one an item, -1 unknown
  std::vector<std::string> notes;
};

/// By name where both name their classes and a name is known to both, else by number. Items of OOD
/// and unlabelled datasets have no true class. A class that the model does not have is an error
/// that names the first item.
[[nodiscard]] Expected<ModelLabels> labelsForModel(const Model& model, const Dataset& dataset);

}  // namespace dubito
