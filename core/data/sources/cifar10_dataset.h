// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// cifar10:FILE[,FILE...]: the official binary batches, colour images [32, 32, 3]; rows are
/// numbered across files. Class names are the lines of batches.meta.txt in the same folder. Files
/// are memory-mapped; pages are loaded as items are read.
[[nodiscard]] std::shared_ptr<const DatasetKind> cifar10Kind();

}  // namespace dubito
