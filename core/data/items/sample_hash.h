// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/items/dataset.h"

namespace dubito {

/// A hash of one stored item: its kind, shape and every pixel or number, as 16 hexadecimal digits.
/// Tells whether an item is still the one that somebody has labelled.
[[nodiscard]] std::string sampleHash(const Sample& sample);

}  // namespace dubito
