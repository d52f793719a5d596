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

/// What a session holds, before any file was looked at: what saveWorkspace starts from.
struct WorkspaceDraft {
  /// Models have their paths, datasets their specifications, run parts neither.
  Workspace workspace;
  /// Of all parts in their order.
  std::vector<std::shared_ptr<const Run>> runs;
  std::vector<std::string> run_files;  ///< of each of them; empty: in memory alone
  /// Of each of workspace.runs: what its method was fitted with; null where that is no posterior.
  std::vector<std::shared_ptr<const FittedLaplace>> posteriors;
  /// Names of what has no file and cannot be saved.
  std::vector<std::string> left_out;
};
/// Looks at no file and no array.
[[nodiscard]] WorkspaceDraft draftOf(const Session& session, const EvaluationOptions& evaluation);

/// A workspace as it was written, and the runs that were written for it.
struct SavedWorkspace {
  Workspace workspace;
  std::vector<std::pair<std::shared_ptr<const Run>, std::string>> written;
  std::vector<std::string> written_posteriors;
};

/// Writes runs that are in memory alone into runsFolderOf(path), with their posteriors beside them
/// (posteriorPathFor), takes the fingerprints of all files and writes the workspace. A file that is
/// in `before` with the same size and time is not read again. On an error, or cancelled, no such
/// file stays. Blocking; for a worker thread.
[[nodiscard]] Expected<SavedWorkspace> saveWorkspace(const WorkspaceDraft& draft,
                                                     const std::string& path,
                                                     const Workspace& before, RunContext& context);

}  // namespace dubito
