// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/report/report_content.h"

namespace dubito {

/// Vector plots of the run shown in the light theme, rendered from the values: independent of
/// selection, zoom and visibility in the window. GUI thread only.
[[nodiscard]] std::vector<ReportFigure> reportFigures(const ReportSource& source);

}  // namespace dubito
