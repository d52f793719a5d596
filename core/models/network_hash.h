// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/models/model.h"

namespace dubito {

/// Hash of the program and the weights, 16 hexadecimal digits: equal for networks with the same
/// program and weights, wherever their files are. Weights are parameters, buffers and, after
/// freezing or quantisation, constants of the program and packed weights. Computed once, when the
/// model is loaded.
[[nodiscard]] const std::string& networkHash(const Model& model);

/// Hash of the weights alone: equal for two exports of a network that both keep its weights, and
/// for two programs with the same weights.
[[nodiscard]] const std::string& weightsHash(const Model& model);

}  // namespace dubito
