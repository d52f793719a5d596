// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/models/model.h"

namespace dubito {

/// A hash over the program and the weights, 16 hexadecimal digits: equal for networks that do the
/// same with the same numbers, wherever their files are. Found once, when the model is loaded.
[[nodiscard]] const std::string& networkHash(const Model& model);

}  // namespace dubito
