// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/review/formats/label_table.h"
#include "core/review/formats/match_rows.h"

namespace dubito {

/// The ids of the items of `dataset` whose file has each of `hashes` (findByHash()); nothing where
/// no item or several have it. Items whose id is in `taken`, or that have no file, are not read.
/// kCancelled.
[[nodiscard]] Expected<std::vector<std::optional<std::int64_t>>> itemsOfHashes(
    const Dataset& dataset, std::span<const std::string> hashes,
    const std::unordered_set<std::int64_t>& taken, RunContext& context);

/// Adds to `matches` (matchRows() of the items of `dataset`) the rows whose images have been
/// renamed or moved: those without an item whose content hash is that of the file of exactly one
/// item without a label. Reads the files of these items if any row has such a hash. kCancelled.
[[nodiscard]] Status matchMovedItems(const LabelTable& table, const Dataset& dataset,
                                     RowMatches& matches, RunContext& context);

}  // namespace dubito
