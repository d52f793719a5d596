// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/run_context.h"

namespace dubito {

/// Converts a name to a file name: lower-case letters and digits, with dashes for all other
/// characters. Never empty.
[[nodiscard]] std::string plainFileName(const std::string& name);

/// The runs of one analysis with the paths of the files they were written to.
using WrittenRuns = std::vector<std::pair<std::shared_ptr<const Run>, std::string>>;

/// Writes an analysis to files that openPredictions reads: the in-distribution run as `path`, each
/// OOD run next to it as "NAME-ood-SET.npz", the posterior of a Laplace run as
/// posteriorPathFor(path). If `path` exists, all of these are replaced; otherwise none of them may
/// exist (kInvalidArgument). Errors of writeRun() and writePosterior(); if one occurs, no files are
/// left behind. Blocking; for a worker thread.
[[nodiscard]] Expected<WrittenRuns> saveRun(const Analysis& analysis, const std::string& path,
                                            RunContext& context);

}  // namespace dubito
