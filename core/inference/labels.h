// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/data/dataset.h"
#include "core/models/model.h"

namespace dubito {

/// True classes of a dataset's items in the model's numbering, -1 unknown: by name where both name
/// their classes, else by number. Items of OOD and unlabelled datasets have no true class. A class
/// that the model does not have is an error that names it, or the first item.
[[nodiscard]] Expected<std::vector<std::int64_t>> labelsForModel(const Model& model,
                                                                 const Dataset& dataset);

}  // namespace dubito
