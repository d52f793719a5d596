// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/metrics/metric_info.h"

namespace dubito {

/// Indexed by Metric.
[[nodiscard]] const std::array<MetricInfo, kBuiltInMetrics>& builtInMetrics();

}  // namespace dubito
