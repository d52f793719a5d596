// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/io/csv_columns.h"

namespace dubito {

/// The columns of class scores of a table.
struct ClassColumns {
  std::vector<std::size_t> columns;  ///< in class order
  bool are_logits = false;
  std::vector<std::string> names;  ///< in the same order; empty if they are numbered from 0
  std::vector<std::string> notes;  ///< columns that were left out although they looked like classes
};

/// Columns with a common beginning or ending in their names ("prob_cat", "prob_dog"; "cat_prob"),
/// or else all columns of numbers, if every row sums to 1 (or 100, or 255). Columns without which
/// the sums fit, row counters and columns with the same whole number in every row are no classes.
/// `free`: columns without another meaning. `label`: the column of labels, to decide whether such a
/// column is a class. Empty `columns` if there are none; kMalformed if that remains open.
[[nodiscard]] Expected<ClassColumns> findClassColumns(const CsvTable& table,
                                                      const std::vector<std::size_t>& free,
                                                      std::optional<std::size_t> label,
                                                      RunContext& context);

/// Columns "label_cat", "label_dog", ... with a single 1 among zeros in every row, in the order of
/// the classes `endings` (names, or numbers from 0); empty if there are none.
[[nodiscard]] std::vector<std::size_t> findOneHotLabels(const CsvTable& table,
                                                        const std::vector<std::size_t>& free,
                                                        const ClassColumns& classes);

/// "'fold', 'index'".
[[nodiscard]] std::string quotedNames(const CsvTable& table,
                                      const std::vector<std::size_t>& columns);

}  // namespace dubito
