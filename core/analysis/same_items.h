// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/analysis/analysis.h"

namespace dubito {

/// A hash over ids and labels of a run, whatever the order of the rows.
[[nodiscard]] std::uint64_t itemsHash(const Run& run);

/// Whether two parts were evaluated on the same items, by content: the hash that was taken while
/// predicting; where a run has none (predictions of another program), or the networks were given
/// other inputs of the same source, by ids and labels. What cannot be known counts as different.
[[nodiscard]] bool haveSameItems(const AnalysisPart& a, const AnalysisPart& b);

/// The same for the in-distribution parts.
[[nodiscard]] bool overSameItems(const Analysis& a, const Analysis& b);

}  // namespace dubito
