// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Position of the first readable item; the size of the dataset if there is none. kCancelled.
[[nodiscard]] Expected<std::int64_t> firstReadable(const Dataset& dataset,
                                                   const RunContext& context);

/// Bytes of one network input, measured on the first readable item; 0 if no item can be read or
/// used. kOutOfMemory, with the remedy, if it exceeds the context's budget; kCancelled.
[[nodiscard]] Expected<std::int64_t> inputBytes(const Dataset& dataset,
                                                const Preprocessing& preprocessing,
                                                const RunContext& context);

/// How many of `batch` items can be loaded within the context's budget, counting the batch that is
/// loaded ahead; at least 1. Errors of inputBytes.
[[nodiscard]] Expected<std::int64_t> itemsPerLoad(const Dataset& dataset,
                                                  const Preprocessing& preprocessing,
                                                  std::int64_t batch, const RunContext& context);

/// The error for inputs of `count` items that exceed the context's budget: kOutOfMemory, with the
/// remedy.
[[nodiscard]] tl::unexpected<Error> inputsTooLarge(const Dataset& dataset, std::int64_t count,
                                                   std::int64_t item_bytes,
                                                   const RunContext& context);

}  // namespace dubito
