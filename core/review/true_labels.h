// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Reads the true labels of a run's items, [N], -1 for unknown, from
///   LABELS.npy   class numbers in the order of the run, one per item; negative: unknown
///   FILE.csv     columns "id" and "label" (or "true_label"), joined on ids; empty: unknown
///   anything else that openPredictions opens: its labels, joined on ids
/// kMalformed, naming the row, for a label that is no class of the run; kInvalidArgument for
/// another number of labels than items, missing columns, and if no item has a true label; errors of
/// opening.
[[nodiscard]] Expected<std::vector<std::int64_t>> readTrueLabels(const std::string& path,
                                                                 const Run& run,
                                                                 RunContext& context);

}  // namespace dubito
