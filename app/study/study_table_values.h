// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <string>
#include <vector>

#include "core/study/study_folder.h"
#include "widgets/compare_table.h"

namespace dubito {

/// Content of the table of a study.
enum class StudyTableKind { kMetrics, kDifferences, kLabelling, kRetraining };

/// The tables that a study has results for.
[[nodiscard]] std::vector<StudyTableKind> studyTableKinds(const StudyFolder& study);
[[nodiscard]] QString studyTableTitle(StudyTableKind kind);
/// Meaning of its numbers.
[[nodiscard]] QString studyTableLegend(StudyTableKind kind);

/// One row per row of the study that has such results on `target`: its metrics, its differences to
/// the baseline with intervals, the share and precision of its automatic labels, or its accuracy
/// after training on them. Rows have the colours of studyCurves().
[[nodiscard]] CompareTableValue studyTable(const StudyFolder& study, std::size_t target,
                                           StudyTableKind kind);
/// The row of the study behind each row of studyTable().
[[nodiscard]] std::vector<std::size_t> studyTableRows(const StudyFolder& study, std::size_t target,
                                                      StudyTableKind kind);

/// How the curves of a row are drawn, see StyledCurve.
struct StudyRowStyle {
  int run = 0;
  int dash = 0;
};
[[nodiscard]] StudyRowStyle studyRowStyle(std::size_t row);
/// NaN if no seed has a value.
[[nodiscard]] double meanOf(const SeedStatistics& value);
/// Whether a column is a rate over items, which is shown in percent.
[[nodiscard]] bool isShareColumn(const std::string& column);

/// "plain/map", "plain/ensemble (3 members)"
[[nodiscard]] QString studyRowText(const StudyFolder& study, std::size_t row);
/// "5 seeds · 20 targets · 2 OOD sets · 3 failures"
[[nodiscard]] QString studySummary(const StudyFolder& study);
/// Findings, failures and caveats, one paragraph each.
[[nodiscard]] QString studyNotesText(const StudyFolder& study);

}  // namespace dubito
