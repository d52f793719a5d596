// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

// Which items of two analyses are the same: a single item by its id, and whole sets by content.

/// The part of a dataset's spec that decides what its ids mean: without ?items, ?classes and ?name,
/// which only select items.
[[nodiscard]] std::string specOfItems(const std::string& spec);

/// Whether an id means the same item in both parts: same content, or the same source, of which each
/// may contain other items.
[[nodiscard]] bool overSameDataset(const AnalysisPart& a, const AnalysisPart& b);

/// [N] rows in ascending order of their ids; empty if the ids are already ascending.
[[nodiscard]] std::vector<std::int64_t> rowsByIds(const Array<std::int64_t>& ids);

/// The row of the item with that id, in O(log N).
[[nodiscard]] std::optional<std::int64_t> rowOfId(const AnalysisPart& part, std::int64_t id);

/// The same item in another analysis; nothing if that lacks it.
[[nodiscard]] std::optional<ItemRef> sameItem(const Analysis& from, ItemRef item,
                                              const Analysis& other);

/// A hash of the ids and labels of a run, independent of the order of the rows.
[[nodiscard]] std::uint64_t itemsHash(const Run& run);

/// Whether two parts were evaluated on the same items: by the content hash taken during prediction;
/// by ids and labels if a run has no hash (predictions of another program) or the networks were
/// given differently preprocessed inputs of the same source. Unknown counts as different.
[[nodiscard]] bool haveSameItems(const AnalysisPart& a, const AnalysisPart& b);

/// haveSameItems of the in-distribution parts.
[[nodiscard]] bool overSameItems(const Analysis& a, const Analysis& b);

}  // namespace dubito
