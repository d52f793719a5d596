// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/io/run.h"

namespace dubito {

/// Softmax of normal logits around the label, with an invented share of disagreement. `dataset` is
/// the specification of the items.
[[nodiscard]] Run inventedRun(std::int64_t items, std::int64_t classes, const std::string& dataset);

/// Writes such a run with the ids of its dataset; the program ends if it cannot be written.
void writeInventedRun(std::int64_t classes, const std::string& dataset, const std::string& path);

}  // namespace dubito
