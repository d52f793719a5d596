// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/study/study_content.h"
#include "core/study/study_figures.h"

namespace dubito {

/// A page without references to other files; the figures are in it.
[[nodiscard]] std::string studyHtml(const StudyContent& content,
                                    const std::vector<FigureGroup>& groups);

}  // namespace dubito
