// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/decisions/selection.h"

namespace dubito {

/// The smallest number of calibration items, at least that of `error` and at most `max_items`, with
/// which the rule "sgr" finds a threshold for target and delta of `options`, if errors go on as in
/// `error` [M]: the outcomes of the items known so far, the most certain first, 1 if the prediction
/// is wrong. Among the r most certain of n items, as many are then wrong, rounded up, as M / n
/// times r of the known ones imply; none if M = 0. Ties of the uncertainty are ignored. Beyond
/// 5 000 items, within 0.1 %. nullopt if there is no such number: the target is out of reach, or
/// max_items is too small. Throws std::invalid_argument for options out of range.
[[nodiscard]] std::optional<std::int64_t> calibrationItemsNeeded(
    std::span<const std::uint8_t> error, const SelectionOptions& options, std::int64_t max_items);

}  // namespace dubito
