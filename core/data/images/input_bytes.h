// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Position of the first item that can be read; the size of the dataset if there is none.
/// kCancelled.
[[nodiscard]] Expected<std::int64_t> firstReadable(const Dataset& dataset,
                                                   const RunContext& context);

/// Bytes that one item takes as the network's input, as the first readable one shows; 0 if none can
/// be read or used. kOutOfMemory, with the remedy, if it exceeds the context's budget; kCancelled.
[[nodiscard]] Expected<std::int64_t> inputBytes(const Dataset& dataset,
                                                const Preprocessing& preprocessing,
                                                const RunContext& context);

/// As many of `batch` items as can be loaded within the context's budget, with the one batch that
/// is loaded ahead; at least 1. Errors as inputBytes.
[[nodiscard]] Expected<std::int64_t> itemsPerLoad(const Dataset& dataset,
                                                  const Preprocessing& preprocessing,
                                                  std::int64_t batch, const RunContext& context);

/// kOutOfMemory, with the remedy: the inputs of `count` items exceed the context's budget.
[[nodiscard]] tl::unexpected<Error> inputsTooLarge(const Dataset& dataset, std::int64_t count,
                                                   std::int64_t item_bytes,
                                                   const RunContext& context);

}  // namespace dubito
