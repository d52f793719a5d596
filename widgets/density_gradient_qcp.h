// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// The colours of densityColor() for a map or a colour scale.
[[nodiscard]] QCPColorGradient densityGradient();

}  // namespace dubito
