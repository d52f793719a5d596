// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/study/study_notes.h"

namespace dubito {

std::string StudyTableRow::methodText() const {
  return members > 1 ? fmt::format("{} ({} members)", method, members) : method;
}

std::optional<std::size_t> StudyFolder::baselineRow() const {
  const auto found = std::ranges::find(rows, baseline, &StudyTableRow::name);
  return found == rows.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(found - rows.begin()));
}

const StudyCell* StudyFolder::cellAt(std::size_t row, std::size_t target) const {
  const auto found = std::ranges::find_if(results.cells, [&](const StudyCell& cell) {
    return cell.row == row && cell.target == target;
  });
  return found == results.cells.end() ? nullptr : &*found;
}

StudyFolder studyFolderOf(const StudySpec& spec, const std::string& path, StudyResults results,
                          std::vector<StudyFailure> failures) {
  StudyFolder study{.path = path,
                    .name = spec.name,
                    .seeds = spec.seeds,
                    .baseline = spec.baseline,
                    .score_misclassified = spec.score_misclassified,
                    .score_ood = spec.score_ood,
                    .targets = {},
                    .ood = {},
                    .rows = {},
                    .results = std::move(results),
                    .bins = spec.evaluation.bins,
                    .replicates = spec.replicates,
                    .figure_seed = spec.figures.seed,
                    .notes = studyNotes(spec),
                    .failures = std::move(failures)};
  for (const StudySet& target : spec.targets) {
    study.targets.push_back({target.name, target.shifts, target.severity});
  }
  for (const StudySet& set : spec.ood) {
    study.ood.push_back(set.name);
  }
  for (const StudyRow& row : spec.rows) {
    study.rows.push_back({row.network, row.method, row.members});
  }
  if (spec.labelling) {
    study.labelling = {.measure = spec.labelling->measure,
                       .delta = spec.labelling->selection.delta,
                       .guarantees = spec.labelling->targets};
  }
  if (spec.retraining) {
    study.retraining = {.layers = spec.retraining->layers, .budget = spec.retraining->budget};
  }
  return study;
}

}  // namespace dubito
