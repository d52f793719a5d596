// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/io/run.h"

namespace dubito {

/// kInvalidArgument, naming `name`, if `run` has only confidences and no probabilities.
[[nodiscard]] Status requireProbabilities(const Run& run, const std::string& name);

/// kInvalidArgument, naming `name`, if no item of `run` has a label.
[[nodiscard]] Status requireLabels(const Run& run, const std::string& name);

}  // namespace dubito
