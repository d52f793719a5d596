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

/// A file of a workspace that is not as it was, or cannot be opened.
struct WorkspaceProblem {
  /// Where the workspace has it; the specification of a dataset that has no files.
  std::string path;
  /// Present where there is a file, but another one.
  std::optional<FileFingerprint> now;
  std::string message;  ///< the file, what differs, the remedy
};

/// A workspace as far as it could be opened.
struct OpenedWorkspace {
  Workspace workspace;
  // By position in `workspace`; null where it is not open.
  std::vector<ModelPtr> models;
  std::vector<DatasetPtr> datasets;
  std::vector<AnalysisPtr> analyses;
  /// One for each file, in the order of the workspace.
  std::vector<WorkspaceProblem> problems;
  /// What was opened for each run: model, then run and dataset of each part.
  std::vector<std::vector<bool>> used;
  /// Where the runs of the analyses lie.
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> run_files;
  /// Paths of problems that a user goes on without; not tried again.
  std::set<std::string> left_out;
};

/// Opens what is there and unchanged and not open yet; runs are evaluated (again, where there is
/// more for them than before). Start with the workspace alone. Blocking; for the compute thread.
[[nodiscard]] Expected<OpenedWorkspace> openWorkspace(OpenedWorkspace opened, RunContext& context);

/// What is wrong with `path` in the place of `file`; nothing where its content is the same.
[[nodiscard]] Expected<std::optional<WorkspaceProblem>> compareFile(const WorkspaceFileRef& file,
                                                                    const std::string& path,
                                                                    RunContext& context);

}  // namespace dubito
