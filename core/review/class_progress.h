// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/io/run.h"
#include "core/labels/label_records.h"

namespace dubito {

/// How far a review has come with the items of one given label.
struct ClassProgress {
  std::int64_t given = 0;    ///< class id, after merges
  std::int64_t items = 0;    ///< of the run
  std::int64_t decided = 0;  ///< by persons, those without a class included
  std::int64_t changed = 0;  ///< of these, decided as another class or none
};

/// One for each given label of the run, in the order of the class ids. Items that have no given
/// label are not counted. `row_of` has the rows of all items.
[[nodiscard]] std::vector<ClassProgress> classProgress(
    const Run& run, const LabelRecords& records,
    const std::unordered_map<std::int64_t, std::int64_t>& row_of);

}  // namespace dubito
