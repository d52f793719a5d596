// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"

namespace dubito {

/// Index of the largest value; ties: the lowest index. Throws std::invalid_argument for an empty
/// row.
[[nodiscard]] std::int64_t argmax(std::span<const double> row);
[[nodiscard]] std::int64_t argmax(std::span<const float> row);

}  // namespace dubito
