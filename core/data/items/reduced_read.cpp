// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/reduced_read.h"

#include <utility>

namespace dubito {

Expected<ReducedSample> readReduced(const Dataset& dataset, std::int64_t index,
                                    std::int64_t min_side) {
  if (const auto* const reader = dynamic_cast<const ReducedReader*>(&dataset)) {
    return reader->readReduced(index, min_side);
  }
  return dataset.read(index).map([](Sample sample) {
    return ReducedSample{std::move(sample), true};
  });
}

}  // namespace dubito
