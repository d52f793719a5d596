// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/data/items/dataset.h"

namespace dubito {

/// Tells whether item `index` is still the one that somebody has labelled: for an item with a file
/// of its own (itemFile), "file:" and the hash of its bytes, because decoding takes much longer
/// than reading; for others sampleHash. Errors of reading.
[[nodiscard]] Expected<std::string> itemHash(const Dataset& dataset, std::int64_t index);

}  // namespace dubito
