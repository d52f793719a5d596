// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Maps a dataset's labels to the model's class numbers by name: exact matches first, then matches
/// that ignore ASCII case. -1 stays -1. If either side has no names, the numbers are assumed to
/// agree. Errors name a class that has items but no counterpart in the model, and a label outside
/// the dataset's own names.
[[nodiscard]] Expected<std::vector<std::int64_t>> mapLabelsByName(
    std::span<const std::int64_t> labels, const std::vector<std::string>& dataset_classes,
    const std::vector<std::string>& model_classes);

}  // namespace dubito
