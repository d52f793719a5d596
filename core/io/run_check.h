// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Tolerance for the sum of a row of stored probabilities.
inline constexpr double kRowSumTolerance = 1e-3;

/// Largest class number in runs without probabilities, whose number of classes is unknown.
inline constexpr std::int64_t kMaxClassNumber = 999'999;

/// Index of a value that occurs more than once; nullopt if all values are distinct.
[[nodiscard]] std::optional<std::int64_t> findDuplicate(std::span<const std::int64_t> values);

/// Describes the first inconsistency between the shapes of the arrays of `run`; nullopt if they are
/// consistent.
[[nodiscard]] std::optional<std::string> shapeConflict(const Run& run);

/// Checks the ranges of labels, predictions, confidences and measures, duplicate ids, and the rows
/// of probs and samples (an evenly spaced sample of the rows if there are more than 2^25
/// probabilities). The
/// shapes must be consistent. `path` is used in messages.
[[nodiscard]] Status checkRunContents(const Run& run, const std::string& path, RunContext& context);

}  // namespace dubito
