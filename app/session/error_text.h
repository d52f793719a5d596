// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/base/expected.h"
#include "core/base/note.h"
#include "core/models/model.h"

namespace dubito {

/// The message of an error, followed by what the window calls its settings, in parentheses:
/// "... use the last layer (Layers: last)". A setting whose label is a word of the message is not
/// repeated, and one that only the command line has is left out.
[[nodiscard]] QString errorText(const Error& error);

/// A note of a model, run or dataset, with what the window offers instead of what the command line
/// needs, and its counts with grouped digits.
[[nodiscard]] QString noteText(const Note& note);

/// Where the metadata of a model was read from: "inside the archive", a path, or "nothing given,
/// guessed".
[[nodiscard]] QString metadataSourceText(const ModelMetadata& metadata);

/// "Layers: above 1 or Dropout: fixed, concrete or multi".
[[nodiscard]] QString requirementText(const Requirement& requirement);

/// What the window calls the option `name`; empty if no form has it.
[[nodiscard]] QString optionLabel(const QString& name);

}  // namespace dubito
