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
  /// Without runs. Models have their paths and datasets their specifications.
  Workspace workspace;
  /// A run on one of the datasets of an analysis.
  struct Part {
    WorkspacePart entry;  ///< without its file
    std::shared_ptr<const Run> run;
    std::string file;  ///< empty: in memory only
  };
  /// An analysis, which becomes an entry of Workspace::runs.
  struct Analysed {
    WorkspaceRun entry;  ///< without parts
    std::vector<Part> parts;
    std::shared_ptr<const FittedLaplace> posterior;  ///< null if its method has none
  };
  std::vector<Analysed> runs;
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
