// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/metrics/measure.h"

namespace dubito {

/// The built-in measures, indexed by Measure.
[[nodiscard]] const std::array<MeasureInfo, kBuiltInMeasures>& builtInMeasures();

}  // namespace dubito
