// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/report/report_content.h"

namespace dubito {

/// Renders vector plots of the run shown, in the light theme. They do not depend on the selection,
/// the zoom or the visibility of the plots in the window. GUI thread only.
[[nodiscard]] std::vector<ReportFigure> reportFigures(const ReportSource& source);

}  // namespace dubito
