// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Makes `place`, a specification or a path, the dataset of a run whose images have moved; for
/// labels of another program, a folder stands for these labels with their images in it. Ids, labels
/// and predictions stay, so that decisions about the items keep belonging to them.
/// kInvalidArgument, with the count and the remedy, if the dataset has not all items of the run, or
/// (where ids are row numbers, which any dataset has) other labels for them; errors of
/// openDataset().
[[nodiscard]] Status relocateRun(Run& run, const std::string& place, RunContext& context);

}  // namespace dubito
