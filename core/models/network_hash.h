// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/models/model.h"

namespace dubito {

/// A hash over the program and the weights, 16 hexadecimal digits: equal for networks that do the
/// same with the same numbers, wherever their files are. Weights are parameters and buffers, and
/// where freezing or quantisation put them: constants of the program and packed weights. Computed
/// once, when the model is loaded.
[[nodiscard]] const std::string& networkHash(const Model& model);

/// The same over the weights alone: equal for one network that was exported in two ways which both
/// keep its weights, and for two programs that use the same weights.
[[nodiscard]] const std::string& weightsHash(const Model& model);

}  // namespace dubito
