// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

// Comparison of the items of two analyses: single items by id, whole sets of items by content.

/// The part of a dataset's spec that determines which items its ids refer to. ?items, ?classes and
/// ?name are removed: they only select items or name the dataset.
[[nodiscard]] std::string specOfItems(const std::string& spec);

/// Whether an id refers to the same item in both parts: they have the same content, or the same
/// source (of which they may contain different items).
[[nodiscard]] bool overSameDataset(const AnalysisPart& a, const AnalysisPart& b);

/// [N] rows in ascending order of their ids; empty if the ids are already ascending.
[[nodiscard]] std::vector<std::int64_t> rowsByIds(const Array<std::int64_t>& ids);

/// The row of the item with this id; nullopt if the part lacks it. O(log N).
[[nodiscard]] std::optional<std::int64_t> rowOfId(const AnalysisPart& part, std::int64_t id);

/// The same item in another analysis; nullopt if `other` lacks it.
[[nodiscard]] std::optional<ItemRef> sameItem(const Analysis& from, ItemRef item,
                                              const Analysis& other);

/// A hash of the ids and labels of a run, independent of the order of the rows.
[[nodiscard]] std::uint64_t itemsHash(const Run& run);

/// Whether two parts were evaluated on the same items: by the content hash taken during prediction;
/// by ids and labels if a run has no hash (predictions of another program) or if the networks were
/// given differently preprocessed inputs of the same source. False if unknown, and if only one of
/// them has reviewed labels that change any.
[[nodiscard]] bool haveSameItems(const AnalysisPart& a, const AnalysisPart& b);

/// haveSameItems for the in-distribution parts.
[[nodiscard]] bool overSameItems(const Analysis& a, const Analysis& b);

}  // namespace dubito
