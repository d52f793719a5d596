// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/train/drop_rate_trace.h"

namespace dubito::cli {

/// "  drop rates 0.093, 0.050 to 0.210", one per layer, for the end of a line; empty if none are
/// learned.
[[nodiscard]] std::string dropRatesText(const std::vector<LayerDropRates>& layers);

}  // namespace dubito::cli
