// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/review/formats/label_table.h"

namespace dubito {

/// The labels of a table for the entries of an existing label file (LabelExportOptions::from).
struct SourceLabels {
  /// By entry: position in LabelTable::rows of the label that it gets; nothing if it stays as it
  /// is, because its item has no label or is undecided.
  std::vector<std::optional<std::size_t>> of_entry;
  /// Positions of the labels of items that no entry is about.
  std::vector<std::size_t> new_rows;
};

/// Finds the present labels of the entries as matchRows() does; of an entry, `item` and `path`
/// count.
[[nodiscard]] SourceLabels labelsOfEntries(const LabelTable& table, std::vector<LabelRow> entries);

}  // namespace dubito
