// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/metrics/metric_info.h"

namespace dubito {

/// The built-in metrics, indexed by Metric.
[[nodiscard]] const std::array<MetricInfo, kBuiltInMetrics>& builtInMetrics();

}  // namespace dubito
