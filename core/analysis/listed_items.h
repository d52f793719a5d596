// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/analysis.h"
#include "core/analysis/item_query.h"

namespace dubito {

/// isListed() of consecutive items of one part, from `first`: sets `listed` [items] to 1 or 0. One
/// pass over the items per condition of the query.
void markListed(const Analysis& analysis, const ItemQuery& query, ItemRef first,
                std::span<std::uint8_t> listed);

}  // namespace dubito
