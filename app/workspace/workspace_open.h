// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/workspace/workspace_file.h"
#include "core/analysis/analysis.h"
#include "core/base/run_context.h"

namespace dubito {

/// A file of a workspace that is missing, changed or cannot be opened.
struct WorkspaceProblem {
  /// Path in the workspace; for a dataset without files its specification.
  std::string path;
  /// Set if the file exists with other content.
  std::optional<FileFingerprint> now;
  std::string message;  ///< file, difference and remedy
};

/// A workspace, opened as far as possible.
struct OpenedWorkspace {
  Workspace workspace;
  // By position in `workspace`; null if not open.
  std::vector<ModelPtr> models;
  std::vector<DatasetPtr> datasets;
  std::vector<AnalysisPtr> analyses;
  /// One for each file, in the order of the workspace.
  std::vector<WorkspaceProblem> problems;
  /// What was available for each run: its model, then run and dataset of each part.
  std::vector<std::vector<bool>> used;
  /// Files of the analyses' runs.
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> run_files;
  /// Paths of problems that the user left out; not tried again.
  std::set<std::string> left_out;
};

/// Opens files that are unchanged and not open yet, and evaluates runs (again, if more of their
/// files are available now). On the first call only `workspace` is set. Blocking; for the compute
/// thread.
[[nodiscard]] Expected<OpenedWorkspace> openWorkspace(OpenedWorkspace opened, RunContext& context);

/// Problem of using `path` for `file`; empty if its content is the same.
[[nodiscard]] Expected<std::optional<WorkspaceProblem>> compareFile(const WorkspaceFileRef& file,
                                                                    const std::string& path,
                                                                    RunContext& context);

}  // namespace dubito
