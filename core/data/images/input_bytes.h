// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Position of the first readable item; the size of the dataset if there is none. Fails with
/// kCancelled.
[[nodiscard]] Expected<std::int64_t> firstReadable(const Dataset& dataset,
                                                   const RunContext& context);

/// Size of one network input in bytes, measured on the first readable item; 0 if no item is
/// readable or if the item does not fit the preprocessing. Fails with kOutOfMemory if the input
/// exceeds the memory budget of the context (the message suggests what to change), or with
/// kCancelled.
[[nodiscard]] Expected<std::int64_t> inputBytes(const Dataset& dataset,
                                                const Preprocessing& preprocessing,
                                                const RunContext& context);

/// Number of items, from 1 to `batch`, that can be loaded at a time within the memory budget of the
/// context, which must also hold the next batch. Fails like inputBytes.
[[nodiscard]] Expected<std::int64_t> itemsPerLoad(const Dataset& dataset,
                                                  const Preprocessing& preprocessing,
                                                  std::int64_t batch, const RunContext& context);

/// The error kOutOfMemory for `count` inputs that together exceed the memory budget of the context;
/// the message suggests what to change.
[[nodiscard]] tl::unexpected<Error> inputsTooLarge(const Dataset& dataset, std::int64_t count,
                                                   std::int64_t item_bytes,
                                                   const RunContext& context);

}  // namespace dubito
