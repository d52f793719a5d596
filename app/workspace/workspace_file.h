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

/// A file or folder of a workspace, with its state when the workspace was saved.
struct WorkspaceFileRef {
  std::string path;  ///< absolute; stored relative to the workspace file
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
  /// Opens the dataset once the paths in it are replaced with those of `files`.
  std::string specification;
  bool ood = false;
  /// Shown in the workspace list; else only used for the images of a run.
  bool listed = true;
  std::vector<WorkspaceFileRef> files;
  friend bool operator==(const WorkspaceDataset&, const WorkspaceDataset&) = default;
};

/// One run file, with its dataset.
struct WorkspacePart {
  std::string name;
  WorkspaceFileRef file;
  std::optional<std::size_t> dataset;  ///< position in Workspace::datasets
  friend bool operator==(const WorkspacePart&, const WorkspacePart&) = default;
};

/// The in-distribution run, followed by its OOD runs.
struct WorkspaceRun {
  std::optional<std::size_t> model;  ///< position in Workspace::models
  std::vector<WorkspacePart> parts;  ///< never empty
  RunLabel label = {};               ///< set by the user
  friend bool operator==(const WorkspaceRun&, const WorkspaceRun&) = default;
};

/// Models, datasets and runs that were open together, stored as references to their files.
struct Workspace {
  static constexpr int kSchemaVersion = 1;
  std::vector<WorkspaceModel> models;
  std::vector<WorkspaceDataset> datasets;
  std::vector<WorkspaceRun> runs;
  // Active entries; empty if none.
  std::optional<std::size_t> active_model;
  std::optional<std::size_t> active_dataset;
  std::optional<std::size_t> active_run;
  EvaluationOptions evaluation;
  std::map<std::string, double> thresholds;  ///< thresholds moved by the user, by score name
  std::string threshold_measure;             ///< score name of the one moved last
  std::optional<SessionView> view;           ///< of the active run
  friend bool operator==(const Workspace&, const Workspace&) = default;
};

/// All files of the workspace, to be read or replaced.
[[nodiscard]] std::vector<WorkspaceFileRef*> filesOf(Workspace& workspace);

/// Writes JSON; the file appears when it is complete. Paths are written relative to its folder.
/// Fails with kWriteFailed.
[[nodiscard]] Status writeWorkspace(const Workspace& workspace, const std::string& path);

/// Inverse of writeWorkspace(); does not access the files of the workspace. kNotFound, kReadFailed,
/// kMalformed (one line: the file and the error in it), kUnsupported for a newer schema version.
[[nodiscard]] Expected<Workspace> readWorkspace(const std::string& path);

/// Folder for runs that existed only in memory: "NAME.dubito-runs" next to NAME.dubito.
[[nodiscard]] std::string runsFolderOf(const std::string& path);

}  // namespace dubito
