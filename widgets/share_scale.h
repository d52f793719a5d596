// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace dubito {

/// Tick positions and labels of a share axis in drawing coordinates: the share itself or, if
/// `root`, its square root. `top` is the largest share shown, in (0, 1]; neighbouring ticks are
/// about a sixth of the axis apart.
[[nodiscard]] std::vector<std::pair<double, QString>> shareTicks(bool root, double top);

}  // namespace dubito
