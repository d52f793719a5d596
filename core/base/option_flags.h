// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options.h"

namespace dubito {

/// The command-line arguments that set `fields` where they differ from `defaults`, the same fields
/// of a struct that was not touched: "--draws=20". Options without an effect (idle_without) are
/// left out, because commands refuse them. Throws std::invalid_argument where the lists differ.
[[nodiscard]] std::vector<std::string> flagsOfFields(const std::vector<Field>& fields,
                                                     const std::vector<Field>& defaults);

}  // namespace dubito
