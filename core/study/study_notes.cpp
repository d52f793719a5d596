// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_notes.h"

#include <algorithm>

namespace dubito {

std::vector<std::string> studyNotes(const StudySpec& spec) {
  std::vector<std::string> notes;
  const auto has = [&spec](const auto& condition) {
    return std::ranges::any_of(spec.rows, condition);
  };
  const bool shares = std::ranges::any_of(spec.seeds, [&](std::uint64_t seed) {
    return has([&](const StudyRow& row) {
      return row.members > 1 && std::ranges::any_of(spec.seeds, [&](std::uint64_t other) {
               return other > seed && other - seed < static_cast<std::uint64_t>(row.members);
             });
    });
  });
  if (shares) {
    notes.emplace_back(
        "Ensembles of neighbouring seeds share members, so that their standard deviation over "
        "seeds "
        "is smaller than that of independent ensembles. Seeds that are at least as far apart as "
        "there "
        "are members avoid this.");
  }
  if (spec.labelling && has([](const StudyRow& row) {
        return inputsUsedBy(row.options).calibration || !row.grid.empty();
      })) {
    notes.emplace_back(
        "Methods that are fitted on labelled items (temperature, a grid by NLL) choose the "
        "threshold "
        "of automatic labelling on the same items; with one or two fitted numbers, this changes "
        "the "
        "guarantee little.");
  }
  if (spec.seeds.size() == 1) {
    notes.emplace_back(
        "With one seed there is no standard deviation, and the intervals are over items only.");
  }
  return notes;
}

}  // namespace dubito
