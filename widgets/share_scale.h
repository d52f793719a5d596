// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>
#include <vector>

namespace dubito {

/// Tick positions and labels of an axis for shares. The axis shows shares from 0 to `top` in (0,
/// 1]. Positions are shares or, if `root`, square roots of shares. Neighbouring ticks are about a
/// sixth of the axis apart.
[[nodiscard]] std::vector<std::pair<double, QString>> shareTicks(bool root, double top);

}  // namespace dubito
