// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/io/run.h"

namespace dubito {

/// kInvalidArgument, naming `name`, if a run has only confidences.
[[nodiscard]] Status needsProbabilities(const Run& run, const std::string& name);

/// kInvalidArgument, naming `name`, if no item of a run has a label.
[[nodiscard]] Status needsLabels(const Run& run, const std::string& name);

}  // namespace dubito
