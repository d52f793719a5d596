// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/study/json_source.h"
#include "core/study/study_spec.h"

namespace dubito {

/// The rows of "methods" of a study: each method on each of its networks. Throws JsonFault.
[[nodiscard]] std::vector<StudyRow> readStudyRows(const JsonNode& root,
                                                  const std::vector<StudyNetwork>& networks);

}  // namespace dubito
