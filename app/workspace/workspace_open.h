// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/files/open_model.h"
#include "app/session/shift_result.h"
#include "app/workspace/workspace_file.h"
#include "core/analysis/analysis.h"
#include "core/base/run_context.h"

namespace dubito {

/// A file of a workspace that is missing, changed or cannot be opened.
struct WorkspaceProblem {
  /// Path of the file in the workspace; for a dataset without files, its specification.
  std::string path;
  /// Current fingerprint of the file; set if the file exists but its content has changed.
  std::optional<FileFingerprint> now;
  std::string message;  ///< the file, the difference and what to do
};

/// A workspace, opened as far as possible.
struct OpenedWorkspace {
  Workspace workspace;
  // At the same positions as in `workspace`; null if not open.
  std::vector<ModelPtr> models;
  std::vector<DatasetPtr> datasets;
  std::vector<AnalysisPtr> analyses;
  /// Of these analyses, as far as their files could be opened.
  std::vector<ShiftResultPtr> shifts;
  /// One per affected file, in the order of the workspace.
  std::vector<WorkspaceProblem> problems;
  /// For each run, what was available when its analysis was made: the model, then the run file and
  /// the dataset of each part. Decides whether more files are available now.
  std::vector<std::vector<bool>> used;
  /// The runs of the analyses and shifts, and their files.
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> run_files;
  /// Paths of the problems that the user skipped; these files are not tried again.
  std::set<std::string> left_out;
};

/// Opens all unchanged files that are not open yet, and evaluates the runs; a run is evaluated
/// again if more of its files have become available. On the first call only `workspace` is set.
/// Networks are opened as `models` says. Blocking; call it on the compute thread.
[[nodiscard]] Expected<OpenedWorkspace> openWorkspace(OpenedWorkspace opened,
                                                      const ModelOpening& models,
                                                      RunContext& context);

/// Compares the content of the file at `path` with the fingerprint of `file`. Returns nullopt if
/// they match, else the problem.
[[nodiscard]] Expected<std::optional<WorkspaceProblem>> compareFile(const WorkspaceFileRef& file,
                                                                    const std::string& path,
                                                                    RunContext& context);

}  // namespace dubito
