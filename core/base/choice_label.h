// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/options.h"

namespace dubito {

/// What the window calls the text `value` of a field: the label of its form ("by evidence", "by
/// confidence drop 0.05"); otherwise `value`. A field with `choices` labels them by forms whose
/// prefixes are the choices ("kron": "Kronecker").
[[nodiscard]] std::string choiceLabel(const FieldInfo& info, const std::string& value);

}  // namespace dubito
