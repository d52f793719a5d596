// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/load_item.h"

#include <fmt/format.h>

#include <array>

namespace dubito {

Expected<Batch> loadItem(const Dataset& dataset, std::int64_t index,
                         const Preprocessing& preprocessing, const RunContext& context) {
  const std::array<std::int64_t, 1> indices = {index};
  auto batch = loadBatch(dataset, indices, preprocessing, context);
  if (batch && batch->indices.empty()) {
    return fail(ErrorCode::kReadFailed,
                fmt::format("{}, item {}: {}", dataset.info().name, dataset.itemName(index),
                            batch->unreadable_reasons.at(0)));
  }
  return batch;
}

}  // namespace dubito
