// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options.h"

namespace dubito {

/// The command-line arguments ("--draws=20") that set the fields whose values differ from
/// `defaults`, the fields of a default-constructed struct. Options without effect
/// (unmet_requirement) are omitted because commands reject them. Throws std::invalid_argument if
/// the lists differ in length.
[[nodiscard]] std::vector<std::string> flagsOfFields(const std::vector<Field>& fields,
                                                     const std::vector<Field>& defaults);

}  // namespace dubito
