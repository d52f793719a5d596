// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Reads the predictions in a .npz file that another program wrote; see openPredictions.
[[nodiscard]] Expected<Run> readPredictionNpz(const std::string& path, RunContext& context);

}  // namespace dubito
