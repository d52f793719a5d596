// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The batch of the item at `index` alone. Errors of loadBatch(); kReadFailed, naming dataset and
/// item, if the item cannot be read.
[[nodiscard]] Expected<Batch> loadItem(const Dataset& dataset, std::int64_t index,
                                       const Preprocessing& preprocessing,
                                       const RunContext& context);

}  // namespace dubito
