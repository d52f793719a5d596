// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session/run_labels.h"
#include "app/session/view_json.h"
#include "core/base/expected.h"
#include "core/data/items/corruption_spec.h"
#include "core/data/sources/file_fingerprint.h"

namespace dubito {

/// A file or folder that a workspace refers to, with its fingerprint at the time of saving.
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
  /// The dataset specification. Its paths must be replaced with those of `files` before opening.
  std::string specification;
  bool ood = false;
  /// True if the dataset is in the workspace list; false if it only provides the images of a run.
  bool listed = true;
  std::vector<WorkspaceFileRef> files;
  friend bool operator==(const WorkspaceDataset&, const WorkspaceDataset&) = default;
};

/// A run file and the dataset it was computed on.
struct WorkspacePart {
  std::string name;
  WorkspaceFileRef file;
  std::optional<std::size_t> dataset;  ///< position in Workspace::datasets
  friend bool operator==(const WorkspacePart&, const WorkspacePart&) = default;
};

/// A run, repeated on images with the corruption `kind`: one run file for each severity.
struct WorkspaceShift {
  CorruptionKind kind = CorruptionKind::kNoise;
  std::int64_t items = 0;  ///< ShiftResult::items
  std::vector<double> severities;
  std::vector<WorkspaceFileRef> files;  ///< in the order of `severities`
  friend bool operator==(const WorkspaceShift&, const WorkspaceShift&) = default;
};

/// An analysis: the in-distribution run, followed by its OOD runs.
struct WorkspaceRun {
  std::optional<std::size_t> model;  ///< position in Workspace::models
  std::vector<WorkspacePart> parts;  ///< never empty
  RunLabel label = {};               ///< set by the user
  std::vector<WorkspaceShift> shifts = {};
  friend bool operator==(const WorkspaceRun&, const WorkspaceRun&) = default;
};

/// Models, datasets and runs that were open together, stored as references to their files.
struct Workspace {
  static constexpr int kSchemaVersion = 1;
  std::vector<WorkspaceModel> models;
  std::vector<WorkspaceDataset> datasets;
  std::vector<WorkspaceRun> runs;
  // Positions of the active entries; nullopt if none is active.
  std::optional<std::size_t> active_model;
  std::optional<std::size_t> active_dataset;
  std::optional<std::size_t> active_run;
  EvaluationOptions evaluation;
  std::map<std::string, double> thresholds;  ///< thresholds moved by the user, by score name
  std::string threshold_measure;             ///< score name of the threshold moved last
  std::optional<SessionView> view;           ///< of the active run
  friend bool operator==(const Workspace&, const Workspace&) = default;
};

/// Pointers to all file references in `workspace`, for reading or replacing them.
[[nodiscard]] std::vector<WorkspaceFileRef*> filesOf(Workspace& workspace);

/// Writes the workspace as JSON, atomically. Paths are stored relative to the folder of `path`.
/// Errors: kWriteFailed.
[[nodiscard]] Status writeWorkspace(const Workspace& workspace, const std::string& path);

/// Inverse of writeWorkspace(). Does not access the files that the workspace refers to. Errors:
/// kNotFound, kReadFailed, kMalformed (the message names the file and the error in it), and
/// kUnsupported for a newer schema version.
[[nodiscard]] Expected<Workspace> readWorkspace(const std::string& path);

/// Folder in which saving a workspace stores runs that exist only in memory: "NAME.dubito-runs"
/// next to NAME.dubito.
[[nodiscard]] std::string runsFolderOf(const std::string& path);

}  // namespace dubito
