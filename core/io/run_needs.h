// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/expected.h"
#include "core/io/run.h"

namespace dubito {

/// RunMeta::method of a run whose suggestions are the labels of another program.
inline constexpr const char* kLabelsMethod = "labels";

/// Whether the confidence of every item is known. Only runs without probabilities may have unknown
/// ones, which are NaN.
[[nodiscard]] bool hasConfidence(const Run& run);

/// Whether this is a run of labels in which each label is its own suggestion, so that none can
/// contradict another.
[[nodiscard]] bool isItsOwnLabel(const Run& run);

/// Number of classes: of the probabilities, else of the names.
[[nodiscard]] std::int64_t namedClassCount(const Run& run);

/// kInvalidArgument, naming `name`, if `run` has only confidences and no probabilities.
[[nodiscard]] Status requireProbabilities(const Run& run, const std::string& name);

/// kInvalidArgument, naming `name`, if no item of `run` has a label.
[[nodiscard]] Status requireLabels(const Run& run, const std::string& name);

}  // namespace dubito
