// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// The run in a CSV file of another program, see openPredictions.
[[nodiscard]] Expected<Run> readPredictionCsv(const std::string& path, RunContext& context);

}  // namespace dubito
