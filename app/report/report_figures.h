// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/report/report_content.h"

namespace dubito {

/// The plots of the run shown as vectors in the light theme, drawn from the values and not from the
/// window: whatever is selected, zoomed, closed or hidden there. GUI thread only.
[[nodiscard]] std::vector<ReportFigure> reportFigures(const ReportSource& source);

}  // namespace dubito
