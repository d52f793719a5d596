// SPDX-License-Identifier: GPL-3.0-or-later
// table.json of a study: the reader; study_folder_write.cpp writes it.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/base/in_quotes.h"
#include "core/io/note_kinds.h"
#include "core/study/checked_json.h"
#include "core/study/study_folder.h"
#include "core/study/study_values.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxWhole = std::numeric_limits<std::int32_t>::max();

std::vector<std::string> texts(const JsonNode& list) {
  std::vector<std::string> all;
  for (const JsonNode& node : list.list()) {
    all.push_back(node.text());
  }
  return all;
}

std::vector<std::uint64_t> seedsOf(const JsonNode& list) {
  std::vector<std::uint64_t> seeds;
  for (const JsonNode& node : list.list()) {
    seeds.push_back(static_cast<std::uint64_t>(node.wholeNumber(0, kMaxWhole)));
  }
  return seeds;
}

StudyTarget targetOf(const JsonNode& node, const char* name_key) {
  StudyTarget target{.name = studyMember(node, name_key).text()};
  if (const auto severity = node.find("severity")) {
    target.severity = severity->number();
    target.shifts = texts(studyMember(node, "shift"));
  }
  return target;
}

StudyTableRow rowOf(const JsonNode& node) {
  return {.network = studyMember(node, "network").text(),
          .method = studyMember(node, "method").text(),
          .members = studyMember(node, "members").wholeNumber(1, kMaxWhole)};
}

std::vector<Note> storedNotes(const std::vector<std::string>& words,
                              const std::optional<JsonNode>& kinds) {
  if (!kinds) {
    return notesOfTexts(words, nullptr);
  }
  try {
    return notesOfTexts(words, &kinds->value());
  } catch (const std::exception&) {
    failDamaged(*kinds, "does not fit the notes");
  }
}

class FolderReader {
 public:
  FolderReader(fs::path folder, const JsonSource& source, std::int64_t version)
      : folder_(std::move(folder)), root_(source), version_(version) {}

  StudyFolder read() {
    study_.path = folder_.string();
    study_.name = studyMember(root_, "name").text();
    study_.seeds = seedsOf(studyMember(root_, "seeds"));
    study_.baseline = studyMember(root_, "baseline").text();
    study_.score_misclassified = studyMember(studyMember(root_, "score"), "misclassified").text();
    study_.score_ood = studyMember(studyMember(root_, "score"), "ood").text();
    if (version_ >= 2) {
      readSettings();
    }
    for (const JsonNode& node : studyMember(root_, "rows").list()) {
      study_.results.cells.push_back(cellOf(node));
    }
    for (const JsonNode& node : studyMember(root_, "failures").list()) {
      study_.failures.push_back(
          {studyMember(node, "what").text(), studyMember(node, "reason").text()});
    }
    if (!study_.labelling) {
      guaranteesOfCells();
    }
    return std::move(study_);
  }

 private:
  void readSettings() {
    for (const JsonNode& node : studyMember(root_, "targets").list()) {
      study_.targets.push_back(targetOf(node, "name"));
    }
    study_.ood = texts(studyMember(root_, "ood"));
    for (const JsonNode& node : studyMember(root_, "methods").list()) {
      study_.rows.push_back(rowOf(node));
    }
    study_.bins = studyMember(root_, "bins").wholeNumber(1, kMaxWhole);
    study_.replicates = studyMember(root_, "replicates").wholeNumber(1, kMaxWhole);
    if (const auto node = root_.find("labelling")) {
      StudyLabellingSettings settings{.measure = studyMember(*node, "measure").text(),
                                      .delta = studyMember(*node, "delta").number(),
                                      .guarantees = {}};
      for (const JsonNode& guarantee : studyMember(*node, "promises").list()) {
        settings.guarantees.push_back(guarantee.number());
      }
      study_.labelling = std::move(settings);
    }
    if (const auto node = root_.find("retraining")) {
      StudyRetrainingSettings settings{.layers = studyMember(*node, "layers").text()};
      if (const auto budget = node->find("budget")) {
        settings.budget = budget->wholeNumber(1, kMaxWhole);
      }
      study_.retraining = std::move(settings);
    }
    if (const auto node = root_.find("figure_seed")) {
      study_.figure_seed = static_cast<std::uint64_t>(node->wholeNumber(0, kMaxWhole));
    }
    for (const JsonNode& node : studyMember(root_, "figures").list()) {
      StudyFigureGroup group{.heading = studyMember(node, "heading").text(),
                             .text = studyMember(node, "text").text(),
                             .figures = {}};
      for (const JsonNode& figure : studyMember(node, "figures").list()) {
        group.figures.push_back({studyMember(figure, "title").text(),
                                 fileOf(studyMember(figure, "file"), kFiguresFolder)});
      }
      study_.figures.push_back(std::move(group));
    }
    study_.notes = texts(studyMember(root_, "notes"));
  }

  /// A file in a subfolder; no other file may be named, because folders come from other people.
  [[nodiscard]] std::string fileOf(const JsonNode& node, const char* subfolder) const {
    const fs::path file(node.text());
    const std::string name = file.filename().string();
    if (file != fs::path(subfolder) / name || name.empty() || name == "." || name == "..") {
      failDamaged(node, fmt::format("{} is not a file in {}/", inQuotes(node.text()), subfolder));
    }
    return (folder_ / file).string();
  }

  /// Place of `wanted` in a list of the study. Version 1 has no lists: they grow as rows come.
  template <class T>
  std::size_t indexIn(std::vector<T>& list, T wanted, const JsonNode& node) const {
    const auto found = std::ranges::find_if(
        list, [&wanted](const T& one) { return nameOf(one) == nameOf(wanted); });
    if (found == list.end() && version_ >= 2) {
      failDamaged(node, fmt::format("{} is not listed in \"targets\" or \"methods\"",
                                    inQuotes(nameOf(wanted))));
    }
    const auto index = static_cast<std::size_t>(found - list.begin());
    if (found == list.end()) {
      list.push_back(std::move(wanted));
    }
    return index;
  }
  static std::string nameOf(const StudyTarget& target) { return target.name; }
  static std::string nameOf(const StudyTableRow& row) { return row.name(); }

  StudyCell cellOf(const JsonNode& node) {
    StudyCell cell{.row = indexIn(study_.rows, rowOf(node), node),
                   .target = indexIn(study_.targets, targetOf(node, "target"), node),
                   .seeds = seedsOf(studyMember(node, "seeds"))};
    if (study_.cellAt(cell.row, cell.target) != nullptr) {
      failDamaged(node,
                  fmt::format("{} on {} is there twice", inQuotes(study_.rows[cell.row].name()),
                              inQuotes(study_.targets[cell.target].name)));
    }
    const JsonNode columns = studyMember(node, "columns");
    for (const StudyColumn& column : studyColumns()) {
      // Other versions of the program may have other columns.
      const auto value = columns.find(column.key);
      cell.columns.push_back(value ? statisticsOf(*value) : seedStatistics({}));
    }
    cell.differences = differencesOf(studyMember(node, "differences"));
    if (const auto list = node.find("labelling")) {
      cell.labelling = labellingOf(*list);
    }
    if (const auto list = node.find("retraining")) {
      cell.retraining = retrainingOf(*list);
    }
    if (version_ >= 2) {
      for (const JsonNode& one : studyMember(node, "runs").list()) {
        cell.runs.push_back(runsOf(one));
      }
    }
    return cell;
  }

  [[nodiscard]] StudyCellRuns runsOf(const JsonNode& node) const {
    StudyCellRuns runs{
        .seed = static_cast<std::uint64_t>(studyMember(node, "seed").wholeNumber(0, kMaxWhole)),
        .target = fileOf(studyMember(node, "file"), kRunsFolder)};
    const JsonNode ood = studyMember(node, "ood");
    for (const JsonNode& file : ood.list()) {
      runs.ood.push_back(fileOf(file, kRunsFolder));
    }
    // Earlier studies did not keep them.
    if (const auto notes = node.find("notes")) {
      runs.notes = storedNotes(texts(*notes), node.find(kNoteKindsKey));
    }
    if (runs.ood.size() != study_.ood.size()) {
      failDamaged(ood,
                  fmt::format("has {} files for {} OOD sets", runs.ood.size(), study_.ood.size()));
    }
    return runs;
  }

  void guaranteesOfCells() {
    for (const StudyCell& cell : study_.results.cells) {
      for (const StudyLabelling& one : cell.labelling) {
        if (!study_.labelling) {
          study_.labelling.emplace();
        }
        std::vector<double>& guarantees = study_.labelling->guarantees;
        if (std::ranges::find(guarantees, one.guaranteed) == guarantees.end()) {
          guarantees.push_back(one.guaranteed);
        }
      }
    }
  }

  fs::path folder_;
  JsonNode root_;
  std::int64_t version_;
  StudyFolder study_;
};

}  // namespace

Expected<StudyFolder> readStudyFolder(const std::string& path) {
  std::error_code ignored;
  const bool is_table =
      fs::path(path).filename() == kStudyTable && !fs::is_directory(path, ignored);
  const fs::path folder = is_table ? fs::path(path).parent_path() : fs::path(path);
  const fs::path table = folder / kStudyTable;
  if (!fs::exists(table, ignored)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: is not a study folder (it has no {}); run dubito-cli study",
                            folder.string(), kStudyTable));
  }
  const auto source = JsonSource::read(table.string());
  if (!source) {
    // Nobody has written this file by hand.
    return source.error().code == ErrorCode::kMalformed
               ? fail(ErrorCode::kMalformed,
                      fmt::format("{}: is damaged; {}", table.string(), kStudyRemedy),
                      studyRemedySettings(), source.error().message)
               : failWith(source);
  }
  if (!hasRightChecksum(source->root())) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: is damaged (its checksum differs); {}", table.string(), kStudyRemedy),
        studyRemedySettings());
  }
  try {
    const std::int64_t version =
        studyMember(JsonNode(*source), "schema_version").wholeNumber(1, kMaxWhole);
    if (version > kStudyTableVersion) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: has schema version {}, newer than this program; update it",
                              table.string(), version));
    }
    return FolderReader(folder, *source, version).read();
  } catch (const JsonFault& fault) {
    return fail(ErrorCode::kMalformed, fault.message, fault.settings);
  }
}

}  // namespace dubito
