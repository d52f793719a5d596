// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace dubito {

/// Places and texts of the ticks of a share axis in drawing coordinates: the share itself, or its
/// square root where `root`. `top` is the largest share shown, in (0, 1]; neighbouring ticks keep
/// about a sixth of the axis between them.
[[nodiscard]] std::vector<std::pair<double, QString>> shareTicks(bool root, double top);

}  // namespace dubito
