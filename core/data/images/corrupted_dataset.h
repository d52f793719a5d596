// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/items/corruption.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// A dataset that corrupts items as they are read; ids, labels and attributes are those of `base`.
/// `info` replaces the base's.
[[nodiscard]] DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption,
                                          DatasetInfo info);
/// The same, named after the base and the corruption.
[[nodiscard]] DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption);

}  // namespace dubito
