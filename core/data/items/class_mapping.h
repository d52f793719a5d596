// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// Labels of a dataset as numbers of the model's classes, found by name: equal names first, then
/// names that differ in the case of ASCII letters alone. -1 stays -1. Where either side has no
/// names the numbers are taken to be the same. A class that has items but no counterpart in the
/// model is an error that names it, and so is a label outside the dataset's own names.
[[nodiscard]] Expected<std::vector<std::int64_t>> mapLabelsByName(
    std::span<const std::int64_t> labels, const std::vector<std::string>& dataset_classes,
    const std::vector<std::string>& model_classes);

}  // namespace dubito
