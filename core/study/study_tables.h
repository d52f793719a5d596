// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/study/study_results.h"

namespace dubito {

/// One line per target and row: mean and standard deviation over seeds of each column.
[[nodiscard]] std::string studyCsv(const StudySpec& spec, const StudyResults& results);
/// One line per target, row and number of `evaluate --json`.
[[nodiscard]] std::string studyMetricsCsv(const StudySpec& spec, const StudyResults& results);
/// One line per target, row, rule and guarantee.
[[nodiscard]] std::string studyLabellingCsv(const StudySpec& spec, const StudyResults& results);
/// One line per target, row, rule and guarantee of the retrained rows.
[[nodiscard]] std::string studyRetrainingCsv(const StudySpec& spec, const StudyResults& results);
/// A table environment per target (packages booktabs and graphicx); the best mean of each column is
/// bold.
[[nodiscard]] std::string studyTex(const StudySpec& spec, const StudyResults& results);
/// For a terminal.
[[nodiscard]] std::string studyText(const StudySpec& spec, const StudyResults& results);

/// "0.912 ± 0.004": three decimals; without a standard deviation, the mean alone; "-" for no value.
[[nodiscard]] std::string cellText(const SeedStatistics& value, const char* plus_minus = " ± ");
/// "AUROC vs OOD (entropy)": the title of a column with its score.
[[nodiscard]] std::string columnTitle(const StudyColumn& column,
                                      const std::string& score_misclassified,
                                      const std::string& score_ood);
/// Per column, the index of the best mean among the cells of a target; nullopt without values.
[[nodiscard]] std::vector<std::optional<std::size_t>> bestCells(
    const std::vector<const StudyCell*>& cells);
/// The cells of a target.
[[nodiscard]] std::vector<const StudyCell*> cellsOf(const StudyResults& results,
                                                    std::size_t target);

}  // namespace dubito
