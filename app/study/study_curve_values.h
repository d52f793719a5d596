// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <string>
#include <vector>

#include "core/study/study_folder.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// The shifts of a study that have at least two severities.
[[nodiscard]] std::vector<std::string> studyShifts(const StudyFolder& study);

/// More rows than this would hide each other: only the baseline, the best row and the selected one
/// have colours.
inline constexpr std::size_t kColouredRows = 6;

/// A column of the table against the severity of a shift, one curve per row with the standard
/// deviation over seeds. `selected`: a row, drawn in front; -1: none.
[[nodiscard]] CurvePlotValue studyCurves(const StudyFolder& study, const std::string& shift,
                                         std::size_t column, int selected);

/// Quantity in a figure of automatic labelling: one guarantee, kept or labelled.
struct StudyGuarantee {
  double guaranteed = 0.0;
  bool is_share = false;  ///< the share that is labelled, else the precision that is kept
};
[[nodiscard]] std::vector<StudyGuarantee> studyGuarantees(const StudyFolder& study);
[[nodiscard]] QString guaranteeTitle(const StudyGuarantee& guarantee);
/// One curve per rule against the severity of a shift, of one row; the guarantee is the dashed
/// line.
[[nodiscard]] CurvePlotValue guaranteeCurves(const StudyFolder& study, const std::string& shift,
                                             std::size_t row, const StudyGuarantee& guarantee);
/// How often a row keeps less than was guaranteed, over the targets where a rule labels anything.
struct BrokenGuarantees {
  QString headline;  ///< of the rule calibrated on the source: "source: 12 of 20 broken"
  QString detail;    ///< one line per rule
};
[[nodiscard]] BrokenGuarantees brokenGuarantees(const StudyFolder& study, std::size_t row,
                                                double guaranteed);

}  // namespace dubito
