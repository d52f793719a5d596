// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/inference/predict.h"
#include "core/io/run.h"

namespace dubito {

/// The method that a run was made with, where its options are all that is needed to make it again:
/// nothing for one that was fitted, for an ensemble and for predictions of other programs.
[[nodiscard]] std::optional<MethodOptions> methodOf(const RunMeta& meta);

}  // namespace dubito
