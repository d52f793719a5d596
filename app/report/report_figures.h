// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/report/report_content.h"

namespace dubito {

/// Vector plots, in the light theme, of the run that is shown. They are rendered from the values
/// and do not depend on selection, zoom or visibility in the window. GUI thread only.
[[nodiscard]] std::vector<ReportFigure> reportFigures(const ReportSource& source);

}  // namespace dubito
