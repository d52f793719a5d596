// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/study/study_results.h"
#include "core/study/study_work.h"

namespace dubito {

/// A set that a finished study tests on.
struct StudyTarget {
  std::string name;
  std::vector<std::string> shifts = {};  ///< as StudySet::shifts
  std::optional<double> severity = {};
};

/// A row of the table of a finished study.
struct StudyTableRow {
  std::string network;
  std::string method;
  std::int64_t members = 1;  ///< networks whose predictions are averaged

  [[nodiscard]] std::string name() const { return network + "/" + method; }
  /// "dropout", "map (3 members)"
  [[nodiscard]] std::string methodText() const;
};

/// How a finished study labelled its targets.
struct StudyLabellingSettings {
  std::string measure;  ///< key; empty: not known
  double delta = 0.0;   ///< probability of missing a guarantee
  std::vector<double> guarantees;
};

/// How a finished study trained networks again on labels of its targets.
struct StudyRetrainingSettings {
  std::string layers;  ///< as RetrainingOptions::layers
  std::optional<std::int64_t> budget = {};
};

/// A figure in a file.
struct StudyFigure {
  std::string title;
  std::string path;  ///< FOLDER/figures/NAME.svg
};
struct StudyFigureGroup {
  std::string heading;
  std::string text;  ///< what they show
  std::vector<StudyFigure> figures;
};

/// A finished study: what is in its tables and where its figures and runs are. Columns of the table
/// are studyColumns(), with titles by columnTitle().
struct StudyFolder {
  std::string path;
  std::string name;
  std::vector<std::uint64_t> seeds;
  std::string baseline;  ///< StudyTableRow::name()
  std::string score_misclassified;
  std::string score_ood;
  std::vector<StudyTarget> targets;
  std::vector<std::string> ood;  ///< names
  std::vector<StudyTableRow> rows;
  /// StudyCell::row and ::target are indices of `rows` and `targets`; no evaluations if read.
  StudyResults results;
  std::int64_t bins = 0;        ///< of the calibration errors; 0: not known
  std::int64_t replicates = 0;  ///< of the bootstrap of differences; 0: not known
  std::optional<StudyLabellingSettings> labelling = {};
  std::optional<StudyRetrainingSettings> retraining = {};  ///< empty: none, or not known
  std::optional<std::uint64_t> figure_seed = {};           ///< of the figures that show one seed
  std::vector<StudyFigureGroup> figures = {};
  std::vector<std::string> notes = {};  ///< caveats
  std::vector<StudyFailure> failures = {};

  /// Position of the baseline in `rows`; nullopt if it is not there.
  [[nodiscard]] std::optional<std::size_t> baselineRow() const;
  /// The result of a row on a target, or null.
  [[nodiscard]] const StudyCell* cellAt(std::size_t row, std::size_t target) const;
};

/// Version of FOLDER/table.json that is written. 1 had no targets, methods, settings, runs, figures
/// and notes.
inline constexpr int kStudyTableVersion = 2;

/// The results of a study that was just computed. Figures are added by the caller.
[[nodiscard]] StudyFolder studyFolderOf(const StudySpec& spec, const std::string& path,
                                        StudyResults results, std::vector<StudyFailure> failures);

/// Content of FOLDER/table.json, see docs/formats.md. Needs the evaluations of all cells.
[[nodiscard]] nlohmann::json toJson(const StudyFolder& study);

/// Reads what runStudy() has written, of any version up to kStudyTableVersion. `path` is the folder
/// or its table.json; no run or figure is opened. kNotFound for a folder without table.json;
/// kMalformed, naming file, line and value; kUnsupported for a newer version.
[[nodiscard]] Expected<StudyFolder> readStudyFolder(const std::string& path);

}  // namespace dubito
