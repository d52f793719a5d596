// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Position of the class `name` in `names`: the same name, else the only one that differs in ASCII
/// case; -1 if there is none.
[[nodiscard]] std::int64_t classByName(const std::string& name,
                                       const std::vector<std::string>& names);

/// Maps a dataset's labels to the model's class numbers by name: exact matches first, then matches
/// that ignore ASCII case. -1 stays -1. If either has no class names, the numbers are assumed to
/// agree. Fails if a class with items is not a class of the model, or if a label has no class name
/// in the dataset; the message names the class or label.
[[nodiscard]] Expected<std::vector<std::int64_t>> mapLabelsByName(
    std::span<const std::int64_t> labels, const std::vector<std::string>& dataset_classes,
    const std::vector<std::string>& model_classes);

}  // namespace dubito
