// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Stamps of the inputs of a dataset's items, to recognise them later.
struct ItemStamps {
  /// The underlying data with its corruptions, whatever its items, classes, role and labels.
  std::string source;
  /// Per item: hash of size and time of its file, or of all files of the dataset. Changes when the
  /// file does.
  std::vector<std::int64_t> stamps;
};

/// Nothing if the dataset cannot be recognised by its specification. Reads no items.
[[nodiscard]] std::optional<ItemStamps> itemStamps(const Dataset& dataset,
                                                   const RunContext& context);

}  // namespace dubito
