// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "app/workspace/workspace_file.h"
#include "core/base/run_context.h"

namespace dubito {

/// Snapshot of a session as input to saveWorkspace(), before any file is read.
struct WorkspaceDraft {
  /// Models have their paths and datasets their specifications; the parts of runs have no paths
  /// yet.
  Workspace workspace;
  /// The run on one of the datasets of an entry.
  struct Part {
    std::shared_ptr<const Run> run;
    std::string file;  ///< empty: in memory only
  };
  /// What an entry of workspace.runs consists of.
  struct RunContent {
    std::vector<Part> parts;                         ///< in the order of WorkspaceRun::parts
    std::shared_ptr<const FittedLaplace> posterior;  ///< null if its method has none
    std::vector<std::vector<Part>> shifts;           ///< in the order of WorkspaceRun::shifts
  };
  std::vector<RunContent> runs;  ///< in the order of workspace.runs
  /// Names of models and datasets without a file, which cannot be saved.
  std::vector<std::string> left_out;
};

/// Makes a snapshot of the session. Fast: reads neither files nor the arrays of runs.
[[nodiscard]] WorkspaceDraft draftOf(const Session& session, const EvaluationOptions& evaluation);

/// A workspace as written, and the runs and posteriors that were written with it.
struct SavedWorkspace {
  Workspace workspace;
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> written;  ///< with their files
  std::vector<std::string> written_posteriors;                              ///< paths
};

/// Writes runs that exist only in memory to runsFolderOf(path), with their posteriors next to them
/// (posteriorPathFor), computes the fingerprints of all files, and writes the workspace. Files
/// whose size and modification time are the same as in `before` are not read again. On an error or
/// cancellation, the files written so far are removed. Blocking; call it on a worker thread.
[[nodiscard]] Expected<SavedWorkspace> saveWorkspace(const WorkspaceDraft& draft,
                                                     const std::string& path,
                                                     const Workspace& before, RunContext& context);

}  // namespace dubito
