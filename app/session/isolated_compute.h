// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/jobs/child_reaper.h"
#include "app/session/compute_request.h"

namespace dubito {

/// Path of dubito-cli in the folder of the running program.
[[nodiscard]] std::string cliProgram();

/// Why the request cannot run in another process, as a sentence; empty if it can.
[[nodiscard]] std::string whyNotIsolated(const ComputeRequest& request);

/// Arguments of `dubito-cli predict` for one dataset of the request. `posterior` is the file for a
/// fitted posterior; empty: none.
[[nodiscard]] std::vector<std::string> predictArguments(const ComputeRequest& request,
                                                        const Dataset& dataset,
                                                        const std::string& output,
                                                        const std::string& posterior,
                                                        const RunContext& context);

/// computeAnalysis() with each prediction in a separate process: runs `program` (cliProgram()) once
/// per dataset, maps the resulting runs and evaluates them here, with the same numbers. A crash of
/// the child is only an error. Errors of runChild() and of the child. Blocking; for a worker
/// thread.
[[nodiscard]] Expected<AnalysisPtr> computeIsolated(const ComputeRequest& request,
                                                    const std::string& program, ChildReaper& reaper,
                                                    RunContext& context);

}  // namespace dubito
