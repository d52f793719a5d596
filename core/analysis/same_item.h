// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// The part of a dataset's spec that decides what its ids mean: without ?items, ?classes and ?name,
/// which only choose among the items.
[[nodiscard]] std::string specOfItems(const std::string& spec);

/// Whether an id means the same item in both: the same contents, or the same data of which each may
/// hold other items.
[[nodiscard]] bool overSameDataset(const AnalysisPart& a, const AnalysisPart& b);

/// [N] rows in ascending order of their ids; empty where the ids ascend as they are.
[[nodiscard]] std::vector<std::int64_t> rowsByIds(const Array<std::int64_t>& ids);

/// The row of the item with that id, in O(log N).
[[nodiscard]] std::optional<std::int64_t> rowOfId(const AnalysisPart& part, std::int64_t id);

/// The same item under another analysis; nothing where that lacks it.
[[nodiscard]] std::optional<ItemRef> sameItem(const Analysis& from, ItemRef item,
                                              const Analysis& other);

}  // namespace dubito
