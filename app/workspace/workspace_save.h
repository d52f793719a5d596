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
  /// Paths are set for models, specifications for datasets, neither for parts of runs.
  Workspace workspace;
  /// Runs of all parts, in order.
  std::vector<std::shared_ptr<const Run>> runs;
  std::vector<std::string> run_files;  ///< by run; empty: in memory only
  /// Fitted posterior of each of workspace.runs; null if its method has none.
  std::vector<std::shared_ptr<const FittedLaplace>> posteriors;
  /// Names of models and datasets without a file, which cannot be saved.
  std::vector<std::string> left_out;
};
/// Reads no files and no arrays.
[[nodiscard]] WorkspaceDraft draftOf(const Session& session, const EvaluationOptions& evaluation);

/// A workspace as written, and the runs written for it.
struct SavedWorkspace {
  Workspace workspace;
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> written;
  std::vector<std::string> written_posteriors;
};

/// Writes runs that exist only in memory to runsFolderOf(path), with their posteriors next to them
/// (posteriorPathFor), takes the fingerprints of all files and writes the workspace. Files in
/// `before` with the same size and time are not read again. On an error or cancellation, files
/// written so far are removed. Blocking; for a worker thread.
[[nodiscard]] Expected<SavedWorkspace> saveWorkspace(const WorkspaceDraft& draft,
                                                     const std::string& path,
                                                     const Workspace& before, RunContext& context);

}  // namespace dubito
