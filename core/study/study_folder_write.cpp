// SPDX-License-Identifier: GPL-3.0-or-later
// table.json of a study: the writer; study_folder_read.cpp reads it.
#include <filesystem>

#include "core/io/note_kinds.h"
#include "core/study/study_folder.h"
#include "core/study/study_values.h"

namespace dubito {
namespace {

using nlohmann::json;

/// A file of the study as table.json names it.
std::string fileName(const char* folder, const std::string& path) {
  return std::string(folder) + "/" + std::filesystem::path(path).filename().string();
}

json runsJson(const std::vector<StudyCellRuns>& runs) {
  json array = json::array();
  for (const StudyCellRuns& one : runs) {
    json ood = json::array();
    for (const std::string& path : one.ood) {
      ood.push_back(fileName(kRunsFolder, path));
    }
    array.push_back({{"seed", one.seed},
                     {"file", fileName(kRunsFolder, one.target)},
                     {"ood", std::move(ood)},
                     {"notes", textsOf(one.notes)},
                     {kNoteKindsKey, noteKinds(one.notes)}});
  }
  return array;
}

void addShift(json& object, const StudyTarget& target) {
  if (target.severity) {
    object["shift"] = target.shifts;
    object["severity"] = *target.severity;
  }
}

json cellJson(const StudyFolder& study, const StudyCell& cell) {
  const StudyTarget& target = study.targets[cell.target];
  const StudyTableRow& row = study.rows[cell.row];
  json entry{{"target", target.name},
             {"network", row.network},
             {"method", row.method},
             {"members", row.members},
             {"seeds", cell.seeds},
             {"metrics", seedsOfJson(cell.evaluations)},
             {"differences", differencesJson(cell.differences)},
             {"runs", runsJson(cell.runs)}};
  addShift(entry, target);
  json& columns = entry["columns"] = json::object();
  for (std::size_t c = 0; c < cell.columns.size(); ++c) {
    columns[studyColumns()[c].key] = statisticsJson(cell.columns[c]);
  }
  if (!cell.labelling.empty()) {
    entry["labelling"] = labellingJson(cell.labelling);
  }
  if (!cell.retraining.empty()) {
    entry["retraining"] = retrainingJson(cell.retraining);
  }
  return entry;
}

json figuresJson(const std::vector<StudyFigureGroup>& groups) {
  json array = json::array();
  for (const StudyFigureGroup& group : groups) {
    json figures = json::array();
    for (const StudyFigure& figure : group.figures) {
      figures.push_back({{"title", figure.title}, {"file", fileName(kFiguresFolder, figure.path)}});
    }
    array.push_back(
        {{"heading", group.heading}, {"text", group.text}, {"figures", std::move(figures)}});
  }
  return array;
}

}  // namespace

json toJson(const StudyFolder& study) {
  json object{{"schema_version", kStudyTableVersion},
              {"name", study.name},
              {"seeds", study.seeds},
              {"baseline", study.baseline},
              {"score", {{"misclassified", study.score_misclassified}, {"ood", study.score_ood}}},
              {"targets", json::array()},
              {"ood", study.ood},
              {"methods", json::array()},
              {"bins", study.bins},
              {"replicates", study.replicates},
              {"rows", json::array()},
              {"figures", figuresJson(study.figures)},
              {"notes", study.notes},
              {"failures", json::array()}};
  for (const StudyTarget& target : study.targets) {
    json entry{{"name", target.name}};
    addShift(entry, target);
    object["targets"].push_back(std::move(entry));
  }
  for (const StudyTableRow& row : study.rows) {
    object["methods"].push_back(
        {{"network", row.network}, {"method", row.method}, {"members", row.members}});
  }
  if (study.labelling) {
    object["labelling"] = {{"measure", study.labelling->measure},
                           {"delta", study.labelling->delta},
                           {"promises", study.labelling->guarantees}};
  }
  if (study.retraining) {
    object["retraining"] = {{"layers", study.retraining->layers}};
    if (study.retraining->budget) {
      object["retraining"]["budget"] = *study.retraining->budget;
    }
  }
  if (study.figure_seed) {
    object["figure_seed"] = *study.figure_seed;
  }
  for (const StudyCell& cell : study.results.cells) {
    object["rows"].push_back(cellJson(study, cell));
  }
  for (const StudyFailure& failure : study.failures) {
    object["failures"].push_back({{"what", failure.what}, {"reason", failure.message}});
  }
  return object;
}

}  // namespace dubito
