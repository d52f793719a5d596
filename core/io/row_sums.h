// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/io/csv_columns.h"

namespace dubito {

/// Whether the rows of some columns sum to 1, to 100 (per cent) or to 255 (bytes), up to the
/// rounding of their numbers. All columns must be numeric.
[[nodiscard]] bool sumToTotal(const CsvTable& table, const std::vector<std::size_t>& columns);

/// The columns that remain if those are removed without which the rows sum to a total: first
/// numbers that cannot be probabilities, then one or two other columns. Nullopt if no removal fits,
/// or several do.
[[nodiscard]] std::optional<std::vector<std::size_t>> withoutOthers(
    const CsvTable& table, const std::vector<std::size_t>& columns);

}  // namespace dubito
