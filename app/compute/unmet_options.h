// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/options.h"

namespace dubito {

class OptionsForm;

/// Disables the fields of `form` that have no effect next to the others, saying what they need, and
/// enables the others. `fields` are those of the form, as they are now.
void showUnmetOptions(const std::vector<Field>& fields, OptionsForm& form);

}  // namespace dubito
