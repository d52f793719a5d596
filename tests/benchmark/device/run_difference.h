// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/io/run.h"

namespace dubito::benchmarks {

/// How two runs on the same items differ: `same_bits` of all probabilities, the largest difference
/// of a probability, and `same_masks`, null without masks.
[[nodiscard]] nlohmann::json differenceOf(const Run& a, const Run& b);

}  // namespace dubito::benchmarks
