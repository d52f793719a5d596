// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/jobs/child_reaper.h"
#include "app/workbench/compute_request.h"

namespace dubito {

/// Expected path of dubito-cli: in the folder of the running program.
[[nodiscard]] std::string cliProgram();

/// Why the request cannot be computed in another process, as a sentence; empty if it can.
[[nodiscard]] std::string whyNotIsolated(const ComputeRequest& request);

/// Arguments of `dubito-cli predict` for one dataset of the request. `output` is the run file to
/// write. `posterior` is the file for the fitted posterior; empty: none.
[[nodiscard]] std::vector<std::string> predictArguments(const ComputeRequest& request,
                                                        const Dataset& dataset,
                                                        const std::string& output,
                                                        const std::string& posterior,
                                                        const RunContext& context);

/// Like computeAnalysis(), with identical results, but predicts in separate processes: runs
/// `program` (cliProgram()) once per dataset, memory-maps the resulting runs and evaluates them in
/// this process. If a child crashes, returns an error. Errors: those of runChild() and of the
/// child. Blocking; call it on a worker thread.
[[nodiscard]] Expected<AnalysisPtr> computeIsolated(const ComputeRequest& request,
                                                    const std::string& program, ChildReaper& reaper,
                                                    RunContext& context);

}  // namespace dubito
