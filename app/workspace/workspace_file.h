// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session/run_labels.h"
#include "app/session/view_json.h"
#include "core/base/expected.h"
#include "core/data/sources/file_fingerprint.h"

namespace dubito {

/// A file or folder of a workspace, as it was when the workspace was saved.
struct WorkspaceFileRef {
  std::string path;  ///< absolute; relative to the workspace file inside it
  FileFingerprint content;
  friend bool operator==(const WorkspaceFileRef&, const WorkspaceFileRef&) = default;
};

struct WorkspaceModel {
  std::string name;
  WorkspaceFileRef file;
  friend bool operator==(const WorkspaceModel&, const WorkspaceModel&) = default;
};

struct WorkspaceDataset {
  std::string name;
  /// Opens the dataset, once the files of it are put into the place of those that it names.
  std::string specification;
  bool ood = false;
  /// The workspace list shows it; else it is there for the pictures of a run alone.
  bool listed = true;
  std::vector<WorkspaceFileRef> files;
  friend bool operator==(const WorkspaceDataset&, const WorkspaceDataset&) = default;
};

/// One run file, with the items that it is about.
struct WorkspacePart {
  std::string name;
  WorkspaceFileRef file;
  std::optional<std::size_t> dataset;  ///< position in Workspace::datasets
  friend bool operator==(const WorkspacePart&, const WorkspacePart&) = default;
};

/// The in-distribution run, then the OOD runs beside it.
struct WorkspaceRun {
  std::optional<std::size_t> model;  ///< position in Workspace::models
  std::vector<WorkspacePart> parts;  ///< never empty
  RunLabel label = {};               ///< of the user
  friend bool operator==(const WorkspaceRun&, const WorkspaceRun&) = default;
};

/// The models, datasets and runs of one piece of work, by their files.
struct Workspace {
  static constexpr int kSchemaVersion = 1;
  std::vector<WorkspaceModel> models;
  std::vector<WorkspaceDataset> datasets;
  std::vector<WorkspaceRun> runs;
  /// What was chosen; nothing where nothing was.
  std::optional<std::size_t> active_model;
  std::optional<std::size_t> active_dataset;
  std::optional<std::size_t> active_run;
  EvaluationOptions evaluation;
  std::map<std::string, double> thresholds;  ///< by score name, those that were moved
  std::string threshold_measure;             ///< score name of the one that was moved last
  std::optional<SessionView> view;           ///< of the active run
  friend bool operator==(const Workspace&, const Workspace&) = default;
};

/// Every file of the workspace, to be looked at or replaced.
[[nodiscard]] std::vector<WorkspaceFileRef*> filesOf(Workspace& workspace);

/// Writes a JSON text; the file appears when it is complete. Paths are written relative to its
/// folder. kWriteFailed.
[[nodiscard]] Status writeWorkspace(const Workspace& workspace, const std::string& path);

/// Reads what writeWorkspace wrote; nothing that it names is looked at. kNotFound, kReadFailed,
/// kMalformed (one line: the file, what is wrong in it), kUnsupported for a newer schema version.
[[nodiscard]] Expected<Workspace> readWorkspace(const std::string& path);

/// Folder for the runs that were in memory alone: "NAME.dubito-runs" beside NAME.dubito.
[[nodiscard]] std::string runsFolderOf(const std::string& path);

}  // namespace dubito
