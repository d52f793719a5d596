// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "core/study/json_source.h"

namespace dubito {

/// Texts that a study file names once.
using StudyVariables = std::map<std::string, std::string>;

/// "variables" of a study; their values may use the environment and variables before them in the
/// order of their names.
[[nodiscard]] StudyVariables studyVariables(const JsonNode& root);

/// The text of `node` with ${NAME} replaced by a variable or, if there is none, the environment
/// variable, and ${NAME:-TEXT} by TEXT if there is neither. Throws JsonFault for a name without a
/// value and a "${" without its end.
[[nodiscard]] std::string expandedText(const JsonNode& node, const StudyVariables& variables);

}  // namespace dubito
