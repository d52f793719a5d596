// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/items/corruption_spec.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// A dataset that corrupts the items of `base` when they are read. Ids, labels and attributes are
/// those of `base`; `info` replaces its info.
[[nodiscard]] DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption,
                                          DatasetInfo info);
/// As above; the corruption is added to the name and the specification in the info of `base`.
[[nodiscard]] DatasetPtr corruptedDataset(DatasetPtr base, const Corruption& corruption);

}  // namespace dubito
