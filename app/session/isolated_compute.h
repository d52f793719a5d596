// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/jobs/child_reaper.h"
#include "app/session/compute_request.h"

namespace dubito {

/// Path of dubito-cli beside the running program.
[[nodiscard]] std::string cliProgram();

/// Why the request cannot be carried out by another process, in a sentence; empty: it can.
[[nodiscard]] std::string whyNotIsolated(const ComputeRequest& request);

/// The arguments of `dubito-cli predict` that make the run of one of the request's datasets.
/// `posterior` is a file that a fit is kept in; empty: none.
[[nodiscard]] std::vector<std::string> predictArguments(const ComputeRequest& request,
                                                        const Dataset& dataset,
                                                        const std::string& output,
                                                        const std::string& posterior,
                                                        const RunContext& context);

/// computeAnalysis, each prediction in a process of its own: `program` (cliProgram()) is run once a
/// dataset, its runs are mapped, and the evaluation is made here. The numbers are those of
/// computeAnalysis. A child that crashes is an error and nothing else. Errors of runChild and of
/// the child. Blocking; for a worker thread.
[[nodiscard]] Expected<AnalysisPtr> computeIsolated(const ComputeRequest& request,
                                                    const std::string& program, ChildReaper& reaper,
                                                    RunContext& context);

}  // namespace dubito
