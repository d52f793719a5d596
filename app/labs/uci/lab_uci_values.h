// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/labs/uci/uci_table.h"
#include "widgets/compare_table.h"

namespace dubito {

/// What the table of the UCI laboratory shows.
enum class UciFigure {
  kRmse,
  kLogLikelihood,
};

/// Rows: our methods, then the published columns; columns: the sets. A difference of more than
/// kUciMarkedErrors standard errors is marked with a star.
[[nodiscard]] CompareTableValue uciCompareTable(const std::vector<UciSetRows>& table,
                                                UciFigure figure);
/// How many comparisons with published values there are, and how many differ.
[[nodiscard]] QString uciSentence(const std::vector<UciSetRows>& table);
/// "mean ± standard error over the splits · seed 0 · 10 000 draws".
[[nodiscard]] QString uciCaption(const std::vector<UciResult>& results);
/// What the rows are, one line per method or published column.
[[nodiscard]] QString uciRowNotes(const std::vector<UciSetRows>& table);

}  // namespace dubito
