// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/expected.h"

namespace dubito {

/// The message of an error, followed by what the window calls its settings, in parentheses:
/// "... use the last layer (Layers: last)". A setting whose label is a word of the message is not
/// repeated, and one that only the command line has is left out.
[[nodiscard]] QString errorText(const Error& error);

/// "Layers: above 1 or Dropout: fixed, concrete or multi".
[[nodiscard]] QString requirementText(const Requirement& requirement);

/// What the window calls the option `name`; empty if no form has it.
[[nodiscard]] QString optionLabel(const QString& name);

}  // namespace dubito
